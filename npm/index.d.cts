import type { Engine, EngineOptions, SimpleEngine } from './index.js' with { 'resolution-mode': 'import' }

declare function initEngine(name?: string | initEngine.Callback, callback?: initEngine.Callback): Promise<SimpleEngine>

declare namespace initEngine {
  type Callback = (error: null, engine: SimpleEngine) => void
  function createEngine(options?: EngineOptions): Promise<Engine>
}

export = initEngine
