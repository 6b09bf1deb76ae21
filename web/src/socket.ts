// The line to the server. Reconnects with a growing pause; says in what way it fails.
import type { Command, Event } from './messages';

export type Connection = 'connecting' | 'open' | 'lost' | 'refused' | 'full';

const TOKEN = 'tabiya-token';

/// The token comes once in the address (behind '#', so it is in no log) and is kept for reloads and further tabs.
export const takeToken = (): string => {
  const given = /token=([0-9a-f]+)/.exec(location.hash)?.[1];
  if (given) {
    localStorage.setItem(TOKEN, given);
    history.replaceState(null, '', '#/play');
  }
  return given ?? localStorage.getItem(TOKEN) ?? '';
};

export interface Line {
  send(command: Command): boolean;
}

export const connect = (
  token: string,
  hear: (event: Event) => void,
  change: (connection: Connection) => void,
): Line => {
  let socket: WebSocket | null = null;
  let pause = 500;
  const open = () => {
    socket = new WebSocket(`ws://${location.host}/ws`, ['tabiya', `token.${token}`]);
    socket.onopen = () => {
      pause = 500;
      change('open');
    };
    socket.onmessage = (message) => hear(JSON.parse(message.data as string) as Event);
    socket.onclose = () => {
      socket = null;
      void explain(token).then(change);
      setTimeout(open, pause);
      pause = Math.min(pause * 2, 5000);
    };
  };
  if (token) open();
  else change('refused');
  return {
    send: (command) => {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(command));
      return true;
    },
  };
};

// A browser does not say why a socket closed; an ordinary request does.
const explain = async (token: string): Promise<Connection> => {
  try {
    const answer = await fetch('/api/hello', { headers: { 'x-tabiya-token': token } });
    if (answer.status === 403) return 'refused';
    const facts = (await answer.json()) as { full: boolean };
    return facts.full ? 'full' : 'lost';
  } catch {
    return 'lost';
  }
};
