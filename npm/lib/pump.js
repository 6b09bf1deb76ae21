// Between the page and the engine: picks the build, keeps lines in order while something loads, and starts the engine again when
// its worker has died.

import { loadBytes, loadModule } from './environment.js'
import { SingleEngine } from './single.js'
import { ThreadedEngine } from './threaded.js'

/** A module that uses one SIMD instruction: a browser without SIMD refuses it. */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
])

/** Options that play like people: they need the reply network. */
const NEEDS_WEIGHTS = /^\s*setoption\s+name\s+(UCI_LimitStrength\s+value\s+true|Speculative\s+value\s+bounded)\b/i
const MOST_RESTARTS = 3

export function bestBuild() {
  // The build with threads is not part of the package yet: a thread that waits for another one is not always woken.
  return WebAssembly.validate(SIMD_PROBE) ? 'single' : 'scalar'
}

export class Pump {
  #base
  #build
  #output
  #ended
  #module = null
  #engine = null
  #queue = []
  #isDraining = false
  #hasWeights = false
  #restarts = 0
  /** What a new engine has to be told after the death of the old one. */
  #options = new Map()
  #position = null
  #pending = null

  /** `output(line)` gets each line; `base` is where the wasm files are; `build` is one of `threads`, `single`, `scalar`. */
  constructor({ base, build, output, ended = () => {} }) {
    this.#base = base
    this.#build = build ?? bestBuild()
    this.#output = output
    this.#ended = ended
  }

  get build() {
    return this.#build
  }

  send(line) {
    for (const each of String(line).split('\n')) this.#queue.push(each)
    // What must not wait for anything goes to a running engine at once.
    this.#drain()
  }

  async #drain() {
    if (this.#isDraining) return
    this.#isDraining = true
    while (this.#queue.length > 0) {
      const line = this.#queue.shift()
      try {
        if (!this.#engine) await this.#start()
        if (NEEDS_WEIGHTS.test(line) && !this.#hasWeights) await this.#loadWeights()
        this.#remember(line)
        this.#engine?.send(line)
      } catch (error) {
        this.#say(`the engine cannot start: ${error?.message ?? error}`)
        this.#engine = null
      }
    }
    this.#isDraining = false
  }

  async #start() {
    this.#module ??= await loadModule(new URL(`tabiya-${this.#build}.wasm`, this.#base))
    const events = {
      line: (text) => this.#print(text),
      failed: (reason) => this.#recover(reason),
      ended: () => this.#end(),
    }
    const Engine = this.#build === 'threads' ? ThreadedEngine : SingleEngine
    this.#engine = new Engine(this.#module, events)
    await this.#engine.start()
  }

  #end() {
    this.#engine?.terminate()
    this.#engine = null
    this.#ended()
  }

  #print(text) {
    for (const line of text.split('\n')) {
      if (line === '') continue
      if (line.startsWith('bestmove')) {
        this.#pending = null
        this.#restarts = 0
      }
      this.#output(line)
    }
  }

  #say(text) {
    this.#output(`info string ${text}`)
  }

  async #loadWeights() {
    try {
      let shown = 0
      const progress = (loaded, total) => {
        const percent = total ? Math.min(100, Math.floor((100 * loaded) / total)) : 0
        if (percent >= shown + 10) {
          shown = percent
          this.#say(`loading the reply network: ${percent} %`)
        }
      }
      const bytes = await loadBytes(new URL('reply.bin', this.#base), progress)
      this.#hasWeights = await this.#engine.install(bytes)
      if (!this.#hasWeights) this.#say('the reply network is damaged: the engine plays at full strength')
    } catch (error) {
      this.#say(`the reply network did not load (${error?.message ?? error}): the engine plays at full strength`)
    }
  }

  #remember(line) {
    const words = line.trim().split(/\s+/)
    if (words[0] === 'setoption') {
      const at = words.findIndex((word) => word.toLowerCase() === 'value')
      this.#options.set(words.slice(2, at < 0 ? undefined : at).join(' ').toLowerCase(), line)
    }
    if (words[0] === 'position') this.#position = line
    if (words[0] === 'go') this.#pending = line
  }

  /** A worker has died: the browser took its memory, or the engine failed. */
  async #recover(reason) {
    const engine = this.#engine
    if (!engine) return
    this.#engine = null
    engine.terminate()
    if (this.#restarts >= MOST_RESTARTS) {
      this.#say(`the engine failed ${MOST_RESTARTS + 1} times and stays off: ${reason}`)
      return
    }
    this.#restarts += 1
    this.#say(`the engine failed and is started again: ${reason.replaceAll('\n', ' ')}`)
    this.#hasWeights = false
    const again = [...this.#options.values(), this.#position, this.#pending].filter(Boolean)
    this.#queue.unshift(...again)
    this.#drain()
  }

  terminate() {
    this.#engine?.terminate()
    this.#engine = null
  }
}
