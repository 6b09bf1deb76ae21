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
