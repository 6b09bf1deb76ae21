// The line to the server. Reconnects with a growing pause; says in what way it fails.
import type { Command, Event } from './messages';

export type Connection = 'connecting' | 'open' | 'lost' | 'refused' | 'full';

const TOKEN = 'tabiya-token';

/// The token comes once in the address (behind '#', so it is in no log) and is kept for reloads and further tabs.
export const takeToken = (): void => {
  const given = /token=([0-9a-f]+)/.exec(location.hash)?.[1];
  if (!given) return;
  localStorage.setItem(TOKEN, given);
  history.replaceState(null, '', '#/play');
};

/// Read each time: when the server was started again and its new link was opened in another tab, this tab joins too.
export const currentToken = (): string => localStorage.getItem(TOKEN) ?? '';

export interface Line {
  send(command: Command): boolean;
}

export const connect = (
  hear: (event: Event) => void,
  change: (connection: Connection) => void,
): Line => {
  let socket: WebSocket | null = null;
  let pause = 500;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = () => {
    clearTimeout(timer);
    const token = currentToken();
    if (!token) return change('refused');
    socket = new WebSocket(`ws://${location.host}/ws`, ['tabiya', `token.${token}`]);
    socket.onopen = () => {
      pause = 500;
      change('open');
    };
    socket.onmessage = (message) => hear(JSON.parse(message.data as string) as Event);
    socket.onclose = () => {
      socket = null;
      void explain(token).then(change);
      timer = setTimeout(open, pause);
      pause = Math.min(pause * 2, 5000);
    };
  };
  open();
  addEventListener('storage', ({ key }) => {
    if (key === TOKEN && socket === null) open();
  });
  return {
    send: (command) => {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(command));
      return true;
    },
  };
};

/// A request to the server.
export const request = (path: string, options: RequestInit & { headers?: Record<string, string> }): Promise<Response> =>
  fetch(path, { ...options, headers: { ...options.headers, 'x-tabiya-token': currentToken() } });

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
