/** Which module to run: with SIMD or without. Left out, the best that the browser can run. */
export type Build = 'single' | 'scalar'

export interface EngineOptions {
  build?: Build
  /** Called with each line of the engine. */
  onLine?: (line: string) => void
}

export interface Engine {
  /** Sends a line of UCI, such as `go movetime 1000`. */
  send(line: string): void
  /** Sends a line and resolves with the answer, up to and with the first line that begins with `last`. */
  ask(line: string, last: string): Promise<string[]>
  /** Adds a listener; the function that comes back removes it. */
  onLine(listener: (line: string) => void): () => void
  /** Ends the engine and its workers. */
  terminate(): void
}

export function createEngine(options?: EngineOptions): Promise<Engine>

/** What `initEngine` of the package `stockfish` gives. */
export interface SimpleEngine {
  /** Gets each line of the engine; without it they go to the console. */
  listener: ((line: string) => void) | null
  sendCommand(line: string): void
  terminate(): void
}

type Callback = (error: null, engine: SimpleEngine) => void

/** As the package `stockfish` is used in Node. A name of one of its builds may be given; the best build here is taken. */
export default function initEngine(name?: string | Callback, callback?: Callback): Promise<SimpleEngine>
