// The host of the board's session in a page without a server: starts the module and its threads, keeps the files in the browser's
// storage, loads the weights when they are first needed. It never waits, so that it can start workers for threads that do; only where
// the page may not share memory does it search itself.

import { canShare, loadBytes, loadModule } from './lib/environment.js'
import { ThreadedEngine } from './lib/threaded.js'
import { SingleBoard } from './single-board.js'
import { Storage } from './storage.js'

const HERE = new URL('.', import.meta.url)
/** Megabytes of hash for one engine: the memory of the module is bounded, and phones have little. */
const HASH = 32
const MOST_RESTARTS = 5
/** Threads of a session that plays: the session, its requests, the engine, and one more to come. */
const WARM = 4

const encoder = new TextEncoder()
const post = (message) => self.postMessage(message)
const problem = (code) => post({ kind: 'problem', code })

/** Loads while the storage is opened and workers start. */
let module = null
let board = null
let storage = null
let hasWeights = false
let restarts = 0
/** Another tab has the session: the next command takes it back. */
let isAway = false
let game = null
/** See `SingleBoard`. */
let addresses = []
const asked = new Set()
const waiting = []
let isDraining = false

/** Commands that people's moves are needed for. */
function needsWeights(command) {
  if (command.type === 'new_game') return command.settings?.opponent?.level != null
  if (command.type === 'open_game') return storage.needsPeople(command.id)
  return command.type === 'people' || command.type === 'coach'
}

function load() {
  module ??= loadModule(new URL(canShare ? 'tabiya-board.wasm' : 'tabiya-board-single.wasm', HERE))
  // Whoever waits for it tells the failure.
  module.catch(() => {})
  return module
}

async function start() {
  const events = { line: receive, failed: recover, ended() {}, alive: () => post({ kind: 'pong' }) }
  const one = canShare ? new ThreadedEngine(load(), events) : new SingleBoard(load(), events)
  if (canShare) one.warm(WARM)
  await one.prepare()
  for (const [name, { text, saved }] of storage.files) await one.call('tabiya_restore', encoder.encode(`${name}\n${saved}\n${text}`))
  const threads = canShare ? Math.max(1, Math.min(8, navigator.hardwareConcurrency ?? 1)) : 1
  if ((await one.invoke('tabiya_start', threads, HASH)) !== 0) throw new Error('the session did not open')
  board = one
  one.listen?.(addresses)
  hasWeights = false
  post({ kind: 'open' })
}

/** What the module gives: an event, an answer, a changed file. */
function receive(text) {
  const rest = text.slice(1)
  if (text[0] === 'E') post({ kind: 'event', json: rest })
  if (text[0] === 'A') {
    const [number, status] = rest.split(' ', 2)
    const body = rest.slice(number.length + status.length + 2)
    asked.delete(Number(number))
    post({ kind: 'answer', number: Number(number), status: Number(status), body })
  }
  if (text[0] === 'F') {
    const end = rest.indexOf('\n')
    const name = rest.slice(0, end)
    game = /^games\/(\d+)\.json$/.exec(name)?.[1] ?? game
    storage.write(name, rest.slice(end + 1))
  }
  if (text[0] === 'D') storage.remove(rest)
}

function end() {
  board?.terminate()
  board = null
  for (const number of asked) post({ kind: 'answer', number, status: 503, body: '' })
  asked.clear()
}

/** A thread has died. The moves are in the storage: the page opens its game again. */
async function recover(reason) {
  if (!board) return
  end()
  console.warn(`The engine failed: ${reason}`)
  post({ kind: 'lost' })
  problem('engineFailed')
  if (++restarts > MOST_RESTARTS) return
  try {
    await start()
  } catch (error) {
    failToStart(error)
  }
}

function failToStart(error) {
  // What did not load may load the next time.
  module = null
  console.warn(`The engine cannot start: ${error?.message ?? error}`)
  problem('engineMissing')
}

async function loadWeights() {
  const resting = board
  resting?.rest?.()
  try {
    const progress = (loaded, total) => post({ kind: 'progress', loaded, total })
    const bytes = await loadBytes(new URL('reply.bin', HERE), progress)
    hasWeights = (await board?.call('tabiya_weights', bytes)) === 0
    if (!hasWeights) problem('weightsDamaged')
  } catch {
    problem('weightsMissing')
  } finally {
    resting?.wake?.()
  }
  post({ kind: 'progress', loaded: 1, total: 1 })
  return hasWeights
}

/** One message after another: a command that needs the weights waits for them, and what follows waits for it. */
async function drain() {
  if (isDraining) return
  isDraining = true
  while (waiting.length > 0) {
    const message = waiting.shift()
    if (isAway) await open()
    if (message.kind === 'command') {
      const command = JSON.parse(message.json)
      if (command.type === 'open_game') game = command.id
      if (!hasWeights && needsWeights(command) && !(await loadWeights())) continue
      await board?.call('tabiya_line', encoder.encode(message.json))
    }
    if (message.kind === 'request') {
      const { number, method, path, revision, body } = message
      const head = encoder.encode(`${number} ${method} ${path} ${revision ?? '-'}\n`)
      const bytes = new Uint8Array(head.length + body.length)
      bytes.set(head)
      bytes.set(body, head.length)
      // Reviews of many games need the model of people.
      if (!hasWeights && method === 'POST' && path === '/api/own/review') await loadWeights()
      asked.add(number)
      if (!(await board?.call('tabiya_request', bytes))) {
        asked.delete(number)
        post({ kind: 'answer', number, status: 503, body: '' })
      }
    }
  }
  isDraining = false
}

self.onmessage = ({ data }) => {
  if (data.addresses) addresses = data.addresses
  board?.listen?.(addresses)
  if (data.kind === 'ping') return post({ kind: 'pong' })
  // Everything that is kept, also what the browser refuses to keep.
  if (data.kind === 'request' && data.path === '/site/files') {
    return post({ kind: 'answer', number: data.number, status: 200, body: JSON.stringify(Object.fromEntries(storage?.files ?? [])) })
  }
  board?.hear?.(data.ends)
  waiting.push(data)
  drain()
}

/** Two tabs with a memory of their own would overwrite each other's games: the last one that is used has the session. */
function claim() {
  if (!navigator.locks) return Promise.resolve()
  return new Promise((taken) => {
    const hold = () => {
      taken()
      return new Promise(() => {})
    }
    navigator.locks.request('tabiya-board', { steal: true }, hold).catch(leave)
  })
}

function leave() {
  isAway = true
  end()
  if (game !== null) post({ kind: 'event', json: JSON.stringify({ type: 'game_elsewhere', id: Number(game) }) })
}

async function open() {
  load()
  await claim()
  isAway = false
  storage = await Storage.open(() => problem('storageRefused'))
  try {
    await start()
  } catch (error) {
    failToStart(error)
  }
}

isDraining = true
await open()
isDraining = false
drain()
