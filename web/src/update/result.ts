// What an update answers.
import type { Effect } from '../input';
import type { Command } from '../messages';
import type { State } from '../state';

export type Result = [State, Effect[]];

export const send = (command: Command): Effect => ({ do: 'send', command });
