"""The soak: which games count against the engine, and how sessions add up."""
import os
import tempfile
import unittest
import unittest.mock

import latency
import soak

HEADER = "number,pair,opening,white,black,result,termination,plies,duration_ms,start,final,detail\n"


def game(number, termination, detail="", result="1-0"):
    return f"{number},0,0,lazy,ybwc,{result},{termination},80,2000,a,b,{detail}\n"


def games(*lines):
    return soak.games_of(HEADER + "".join(lines))


OVER = "ybwc overstepped its time by 30 ms"


class Judging(unittest.TestCase):
    def test_faults_count_and_chess_does_not(self):
        ended = games(game(0, "checkmate"), game(1, "illegal move", "e2e5"), game(2, "stall", "no answer"))
        self.assertEqual([soak.judge(one) is None for one in ended], [True, False, False])

    def test_a_loss_on_time_is_weighed_against_what_the_host_took(self):
        taken = OVER + "; the machine was taken away for {} ms meanwhile"
        ended = games(
            game(0, "time forfeit", taken.format(40)),
            game(1, "time forfeit", taken.format(10)),
            game(2, "time forfeit", OVER),
            game(3, "time forfeit", OVER + "; a thread of it waited 31 ms for a core"),
            game(4, "time forfeit", taken.format(10) + "; a thread of it waited 19 ms for a core"),
        )
        self.assertEqual([soak.judge(one) is None for one in ended], [True, False, False, True, False])

    def test_the_report_lists_failures_and_losses_on_time(self):
        rows = soak.rows_of(3, "Tabiya", "2026-11-18", games(
            game(7, "disconnect", "ended"), game(8, "time forfeit", OVER + "; a thread of it waited 31 ms for a core"),
            game(9, "time forfeit", OVER),
        ))
        text, failures = soak.report(rows, [("engine", "Tabiya")], "")
        self.assertEqual(failures, 2)
        self.assertIn("| 3 | lazy | ybwc | game 7: disconnect: ended |", text)
        self.assertIn("| ybwc | 3 | 1 | 1 |", text)
        self.assertIn("- games: 3", text)


class Sessions(unittest.TestCase):
    def test_rows_are_few_and_come_back_as_written(self):
        played = games(*(game(number, "checkmate") for number in range(500)), game(500, "stall", "no answer"))
        rows = soak.rows_of(1, "Tabiya", "2026-11-18", played)
        self.assertEqual([(row.end, row.games) for row in rows], [("checkmate", 500), ("stall", 1)])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "new", "rows.csv")
            self.assertEqual(soak.read_rows(path), [])
            soak.write_rows(path, rows)
            self.assertEqual(soak.read_rows(path), rows)

    def test_a_session_goes_on_only_where_its_games_are_and_with_its_engine(self):
        rows = soak.rows_of(4, "Tabiya 1", "2026-11-18", games(game(0, "checkmate")))
        for engine, has_folder, expected in [
            ("Tabiya 1", True, 4), ("Tabiya 1", False, 5), ("Tabiya 2", True, 5),
        ]:
            self.assertEqual(soak.next_session(rows, engine, lambda _: has_folder), expected)
        self.assertEqual(soak.next_session([], "Tabiya", lambda _: True), 1)

    def run_session(self, folder, played, wanted):
        """Plays a session with a tournament that has the given games in its folder, and says how many it was asked for."""
        arguments = unittest.mock.Mock(rows=os.path.join(folder, "rows.csv"), out=os.path.join(folder, "soak"), games=wanted,
                                       engine="engine", minutes=None)
        asked = []

        def play(command, _minutes):
            os.makedirs(command[command.index("--out") + 1], exist_ok=True)
            asked.append((command[command.index("--pairs") + 1], command[command.index("--seed") + 1]))
            return 0

        exported = unittest.mock.Mock(stdout=HEADER + "".join(game(number, "checkmate") for number in range(played)))
        with unittest.mock.patch.object(soak, "play", play), \
             unittest.mock.patch.object(soak.subprocess, "run", lambda *_, **__: exported), \
             unittest.mock.patch("builtins.print"):
            rows, code = soak.play_session(arguments, "Tabiya")
        return sum(row.games for row in rows), asked, code

    def test_games_of_sessions_add_up_and_none_counts_twice(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(self.run_session(folder, 24, 120), (24, [("10", "1")], 0))
            # Goes on: the same session, which has more games now.
            self.assertEqual(self.run_session(folder, 60, 120), (60, [("10", "1")], 0))
            # Elsewhere, where the folder of the first session is not.
            os.rename(os.path.join(folder, "soak"), os.path.join(folder, "away"))
            self.assertEqual(self.run_session(folder, 60, 120), (120, [("5", "2")], 0))
            self.assertEqual(self.run_session(folder, 60, 120), (120, [("5", "2")], 0))
            os.rename(os.path.join(folder, "soak"), os.path.join(folder, "away too"))
            self.assertEqual(self.run_session(folder, 0, 120), (120, [], 0))


class Stops(unittest.TestCase):
    def test_stops_go_on_where_they_ended_for_the_same_build(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "stops.csv")
            self.assertEqual(soak.read_stops(path, "one"), {})
            known = {}
            soak.keep_stops(path, "one", known)("Tabiya, lazy", [1.5, 2.254, 1.5])
            self.assertEqual(soak.read_stops(path, "one"), {"Tabiya, lazy": [1.5, 1.5, 2.25]})
            self.assertEqual(soak.read_stops(path, "two"), {})
            soak.keep_stops(path, "one", known)("other", [7])
            self.assertEqual(soak.read_stops(path, "one"), {"Tabiya, lazy": [1.5, 1.5, 2.25], "other": [7.0]})

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

    def test_no_round_of_stops_begins_after_the_minutes(self):
        with unittest.mock.patch.object(latency, "stop_times", lambda program, options, stops, seed: [0.001] * stops):
            self.assertEqual(latency.measure_stops("t", None, ["lazy"], 2, 4, 250, minutes=0), {"Tabiya, lazy": []})


if __name__ == "__main__":
    unittest.main()
