"""The soak's report: which games count against the engine."""
import os
import tempfile
import unittest
import unittest.mock

import latency
import soak

HEADER = "number,pair,opening,white,black,result,termination,plies,duration_ms,start,final,detail\n"


def game(number, termination, detail):
    return f"{number},0,0,lazy,ybwc,1-0,{termination},80,2000,a,b,{detail}\n"


class Judging(unittest.TestCase):
    def rows(self, *games):
        return soak.rows_of(HEADER + "".join(games))

    def test_faults_count_and_chess_does_not(self):
        rows = self.rows(game(0, "checkmate", ""), game(1, "illegal move", "e2e5"), game(2, "stall", "no answer"))
        self.assertEqual([soak.judge(row) is None for row in rows], [True, False, False])

    def test_a_loss_on_time_is_weighed_against_what_the_host_took(self):
        over = "lazy overstepped its time by 30 ms; the machine was taken away for {} ms meanwhile"
        rows = self.rows(
            game(0, "time forfeit", over.format(40)),
            game(1, "time forfeit", over.format(10)),
            game(2, "time forfeit", "lazy overstepped its time by 30 ms"),
            game(3, "time forfeit", "lazy overstepped its time by 30 ms; a thread of it waited 31 ms for a core"),
            game(4, "time forfeit", over.format(10) + "; a thread of it waited 19 ms for a core"),
        )
        self.assertEqual([soak.judge(row) is None for row in rows], [True, False, False, True, False])

    def test_the_report_lists_failures(self):
        text, failures = soak.report(self.rows(game(7, "disconnect", "ended")), [("engine", "Tabiya")], "")
        self.assertEqual(failures, 1)
        self.assertIn("| 7 | lazy | ybwc | disconnect: ended |", text)
        self.assertIn("- games: 1", text)


class Stops(unittest.TestCase):
    def test_stops_go_on_where_they_ended(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "stops.csv")
            self.assertEqual(soak.read_stops(path), {})
            soak.keep_stops(path)("Tabiya, lazy", [1.5, 2.25])
            with open(path, "a") as file:
                file.write('"Tabiya, lazy",3.')  # killed here
            self.assertEqual(soak.read_stops(path), {"Tabiya, lazy": [1.5, 2.25]})

    def test_engines_take_turns_until_all_have_their_stops(self):
        asked = []

        def times(program, options, stops, seed):
            asked.append((program, dict(options).get("Parallel"), stops))
            return [0.001] * stops

        kept = []
        with unittest.mock.patch.object(latency, "stop_times", times):
            measured = latency.measure_stops(
                "t", "other", ["lazy"], 2, 4, 250, {"Tabiya, lazy": [1.0] * 200}, lambda name, waits: kept.append(name)
            )
        self.assertEqual(asked, [("t", "lazy", 50), ("other", None, 100), ("other", None, 100), ("other", None, 50)])
        self.assertEqual({name: len(waits) for name, waits in measured.items()}, {"Tabiya, lazy": 250, "other": 250})
        self.assertEqual(len(kept), 4)
        self.assertIn("| other | 250 | 1.00 | 1.00 | 1.00 |", latency.stop_table(measured))


if __name__ == "__main__":
    unittest.main()
