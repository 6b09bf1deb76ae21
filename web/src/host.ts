// Who answers the page: the server that sent it, or a worker of its own. Vite leaves out the one that is not built.
import * as server from './socket';
import * as site from './site/host';

/// True in a page without a server.
export const isSite = import.meta.env.MODE === 'site';

export type { Connection, Line } from './socket';

export const connect = isSite ? site.connect : server.connect;
export const request = isSite ? site.request : server.request;
export const takeToken = isSite ? () => {} : server.takeToken;
