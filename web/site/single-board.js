// The board's session in the one worker there is, for a page that may not share memory. Where the browser can suspend a search, it lets
// messages in now and then. Elsewhere it keeps the worker busy, so the page takes addresses away when it sends something: a request for
// such an address is the one message that reaches a busy worker.

import { isGone } from './lib/environment.js'
import { call, callSuspending, canSuspend, hearMessages, instantiate, pause, suspending } from './lib/wasi.js'

/** Milliseconds between two looks at the addresses or two times to hear messages, and between two signs of life. */
const LOOK_INTERVAL = canSuspend ? 5 : 15
const LIFE_INTERVAL = 1000

/** What the page wants of a search. */
const PAUSE = 0
const END = 1

export class SingleBoard {
  #module
  #events
  #engine = null
  #isOver = false
  #isSearching = false
  #isResting = false
  /** The step that has begun, while messages are heard. */
  #running = null
  /** What messages want of it. */
  #heard = null
  /** The addresses that the page has not taken away: the first with anything it sends, the second with what ends searches. */
  #addresses = []
  #lastLook = 0
  #lastLife = 0
  #timer = 0
  #turns = new MessageChannel()

  /** `events.alive()` is called now and then while a search runs. */
  constructor(module, events) {
    this.#module = module
    this.#events = events
    this.#turns.port1.onmessage = () => this.#step()
  }

  async prepare() {
    const [emit, poll, sleep] = [(text) => this.#events.line(text), () => this.#poll(), (time) => this.#sleep(time)]
    this.#engine = await instantiate(await this.#module, { emit, poll, sleep, suspends: canSuspend })
  }

  /** Calls an export; gives the answer, or a promise of it. */
  invoke(name, ...given) {
    return canSuspend ? suspending(this.#engine, name)(...given) : this.#engine.instance.exports[name](...given)
  }

  /** Calls an export that takes bytes, when no search runs, then does what it has asked for, when other messages of the page were heard. */
  async call(name, bytes) {
    while (this.#running) {
      this.#heard ??= PAUSE
      await this.#running
    }
    if (this.#isOver) return 0
    try {
      return await (canSuspend ? callSuspending : call)(this.#engine, name, bytes)
    } catch (error) {
      this.#fail(error)
      return 0
    } finally {
      this.#turns.port2.postMessage(null)
    }
  }

  /** The page has sent something: a search pauses for it, or ends. */
  hear(ends) {
    this.#heard = ends || this.#heard === END ? END : PAUSE
  }

  listen(addresses) {
    this.#addresses = addresses
  }

  /** Runs no search until `wake`: a worker that searches hears nothing of what it loads. */
  rest() {
    this.#isResting = true
  }

  wake() {
    this.#isResting = false
    this.#turns.port2.postMessage(null)
  }

  #fail(error) {
    if (!this.#isOver) this.#events.failed(this.#engine.panic?.trim() || String(error?.message ?? error))
  }

  #step() {
    if (this.#isOver || this.#isResting || this.#running) return
    clearTimeout(this.#timer)
    this.#running = this.#search().finally(() => (this.#running = null))
  }

  async #search() {
    this.#isSearching = true
    this.#heard = null
    this.#lastLook = performance.now()
    let wait = 0
    try {
      wait = await this.invoke('tabiya_step')
    } catch (error) {
      return this.#fail(error)
    } finally {
      this.#isSearching = false
    }
    if (wait === 0) this.#turns.port2.postMessage(null)
    if (wait > 0) this.#timer = setTimeout(() => this.#step(), wait)
  }

  /** From within a search: tells the module what the page wants. */
  #poll() {
    const now = performance.now()
    if (!this.#isSearching || now - this.#lastLook < LOOK_INTERVAL) return
    // What follows asks for the time, too.
    this.#lastLook = Infinity
    if (canSuspend) return this.#suspend(hearMessages())
    const [any, ending] = this.#addresses
    if (any && isGone(any)) this.invoke('tabiya_interrupt', ending && isGone(ending) ? END : PAUSE)
    this.#live(now)
  }

  /** The search waits for what is heard; that of a board that is over, for ever. */
  async #suspend(heard) {
    await heard
    if (this.#isOver) await new Promise(() => {})
    if (this.#heard !== null) this.invoke('tabiya_interrupt', this.#heard)
    this.#live(performance.now())
  }

  #live(now) {
    if (now - this.#lastLife > LIFE_INTERVAL) {
      this.#lastLife = now
      this.#events.alive()
    }
    this.#lastLook = performance.now()
  }

  #sleep(milliseconds) {
    if (canSuspend && this.#isSearching) return this.#sleepAndHear(milliseconds)
    const end = performance.now() + milliseconds
    do {
      pause(Math.min(5, milliseconds))
      this.#poll()
    } while (performance.now() < end)
  }

  async #sleepAndHear(milliseconds) {
    const end = performance.now() + milliseconds
    this.#lastLook = Infinity
    do await this.#suspend(new Promise((done) => setTimeout(done, Math.min(LOOK_INTERVAL, milliseconds))))
    while (performance.now() < end)
  }

  terminate() {
    this.#isOver = true
    clearTimeout(this.#timer)
  }
}
