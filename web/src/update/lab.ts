// Experiments: reports, and runs that the page starts, stops and continues.
import type { Effect, Input } from '../input';
import type { Imported, LabStudy } from '../messages';
import type { State } from '../state';
import { send, type Result } from './result';

const changed = (): Input => ({ on: 'lab changed' });

export const fetchLabStudies: Effect = {
  do: 'request',
  method: 'GET',
  path: '/api/lab/studies',
  answer: (studies: LabStudy[]): Input => ({ on: 'lab studies', studies }),
};

const post = (path: string, body?: unknown): Effect => ({ do: 'request', method: 'POST', path, body, answer: changed });

export const labInput = (state: State, input: Input): Result | null => {
  switch (input.on) {
    case 'open report':
      return input.id === null
        ? [{ ...state, lab: { ...state.lab, open: null, report: null } }, [send({ type: 'list_experiments' })]]
        : [{ ...state, lab: { ...state.lab, open: input.id, report: null } }, [{ do: 'fetch report', id: input.id }]];
    case 'report':
      return [{ ...state, lab: { ...state.lab, report: input.text } }, []];
    case 'lab studies':
      return [{ ...state, lab: { ...state.lab, studies: input.studies } }, []];
    case 'lab start':
      return [{ ...state, problem: null }, [post('/api/lab/start', input.start)]];
    case 'lab stop':
      return [state, [post(`/api/lab/${input.id}/stop`)]];
    case 'lab resume':
      return [{ ...state, problem: null }, [post(`/api/lab/${input.id}/resume`)]];
    case 'lab games':
      return [
        state,
        [
          {
            do: 'request',
            method: 'GET',
            path: `/api/lab/${input.id}/games`,
            answer: (imported: Imported): Input => ({ on: 'imported', imported }),
          },
        ],
      ];
    case 'lab changed':
      return [state, [send({ type: 'list_experiments' })]];
    default:
      return null;
  }
};
