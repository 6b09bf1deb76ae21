// A worker of the engine: the one that searches where there are no threads, or one thread of several.

import { isGone, openPort } from './environment.js'
import { OutboxSender } from './outbox.js'
import { decodeText } from './text.js'
import { call, callSuspending, canSuspend, hearMessages, instantiate, pause, suspending } from './wasi.js'

/** Milliseconds between two looks for an order where a look is expensive, and between two times to hear messages. */
const LOOK_INTERVAL = 15
const HEAR_INTERVAL = 5

let engine = null
let post = () => {}
const encoder = new TextEncoder()

/** The line being handled: its number, and the addresses that vanish when it is to be stopped or released. */
let current = null
/** Numbers of the last lines to be stopped and released: in shared memory, or filled by messages. Null where addresses tell it. */
let orders = null
/** A search lets messages in. */
let suspends = false
let lastLook = 0

let isPolling = false

/** Called from within a call of the module, and again by what it passes on: the module asks for the time then. */
function poll() {
  if (!current || isPolling) return
  if (suspends && performance.now() - lastLook >= HEAR_INTERVAL) return hearAndPoll()
  isPolling = true
  passOrdersOn()
  isPolling = false
}

async function hearAndPoll() {
  await hearMessages()
  lastLook = performance.now()
  poll()
}

function interrupt(order) {
  if (suspends) suspending(engine, 'tabiya_interrupt')(order)
  else engine.instance.exports.tabiya_interrupt(order)
}

/** Looks for an order to stop and passes it on. */
function passOrdersOn() {
  // Again: a search that had not begun when it was told has forgotten it.
  if (current.isReleased) interrupt(2)
  if (current.isStopped) {
    interrupt(1)
    return
  }
  let isStopped = false
  let isReleased = false
  if (orders) {
    isStopped = Atomics.load(orders, 0) >= current.number
    isReleased = Atomics.load(orders, 1) >= current.number
  } else {
    const now = performance.now()
    if (!current.stopUrl || now - lastLook < LOOK_INTERVAL) return
    isStopped = isGone(current.stopUrl)
    isReleased = current.releaseUrl ? isGone(current.releaseUrl) : false
    lastLook = performance.now()
  }
  if (isReleased && !current.isReleased) {
    current.isReleased = true
    interrupt(2)
  }
  if (isStopped) {
    current.isStopped = true
    interrupt(1)
  }
}

function sleep(milliseconds) {
  if (suspends && current) return sleepAndHear(milliseconds)
  const end = performance.now() + milliseconds
  do {
    if (orders) Atomics.wait(orders, 2, 0, Math.min(5, milliseconds))
    else pause(Math.min(5, milliseconds))
    poll()
  } while (performance.now() < end && !current?.isStopped)
}

async function sleepAndHear(milliseconds) {
  const end = performance.now() + milliseconds
  do {
    await new Promise((done) => setTimeout(done, Math.min(HEAR_INTERVAL, milliseconds)))
    lastLook = performance.now()
    poll()
  } while (performance.now() < end && !current.isStopped)
}

const emit = (text) => post({ kind: 'output', text })

/** An instance for one thread after another: each begins with a stack of its own. One instance a thread would add up, because a worker
 * that hardly rests is seldom cleaned. */
function prepareThread(module, memory, counter, outbox) {
  const numbers = new Int32Array(counter)
  const spawn = (argument) => {
    const number = Atomics.add(numbers, 0, 1)
    post({ kind: 'spawn', number, argument })
    return number
  }
  const sender = outbox && new OutboxSender(outbox)
  const emitBytes = sender && ((bytes) => {
    const number = sender.send(bytes)
    if (number !== null) post({ kind: 'output', number, text: decodeText(bytes.slice()) })
  })
  return instantiate(module, { emit, emitBytes, spawn, memory }, true)
}

const messages = {
  async start({ module, shared }) {
    suspends = !shared && canSuspend
    orders = shared || suspends ? new Int32Array(shared ?? 3) : null
    engine = await instantiate(module, { emit, poll, sleep, suspends })
    const start = suspends ? suspending(engine, 'tabiya_start') : engine.instance.exports.tabiya_start
    if ((await start()) !== 0) throw new Error('the engine did not start')
    post({ kind: 'ready', suspends })
  },
  async thread({ module, memory, number, argument, counter, outbox }) {
    engine ??= await prepareThread(module, memory, counter, outbox)
    engine.instance.exports.wasi_thread_start(number, argument)
    post({ kind: 'exit' })
  },
  async line({ text, number, stopUrl, releaseUrl }) {
    current = { number, stopUrl, releaseUrl }
    lastLook = performance.now()
    const pass = suspends ? callSuspending : call
    const goesOn = (await pass(engine, 'tabiya_line', encoder.encode(text))) !== 0
    current = null
    post({ kind: 'done', number, goesOn })
  },
  async weights({ bytes }) {
    const pass = suspends ? callSuspending : call
    post({ kind: 'weights', isGood: (await pass(engine, 'tabiya_weights', bytes)) === 0 })
  },
}

const waiting = []
let isBusy = false

/** One message after another, also while the module is being compiled. */
async function drain() {
  if (isBusy) return
  isBusy = true
  while (waiting.length > 0) {
    const message = waiting.shift()
    try {
      await messages[message.kind]?.(message)
    } catch (error) {
      post({ kind: 'failed', reason: engine?.panic?.trim() || String(error?.message ?? error) })
    }
  }
  isBusy = false
}

post = await openPort((message) => {
  if (message.kind === 'order') {
    orders[message.slot] = message.number
    return
  }
  waiting.push(message)
  drain()
})
// The pump sends nothing before: a worker that is still loading would lose it in some browsers.
post({ kind: 'loaded' })
