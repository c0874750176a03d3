// What a terminal shows: the end of all that was printed, put together a few times a second at most.
import { newId } from './api.js';

const MOST_TEXT = 64 * 1024;
/** A program that prints without end is drawn this often. */
const DRAW_MS = 120;
/** Colours and movements of a real terminal. */
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

export class Screen {
  text = '';
  dropped = 0;
  /** The line that runs; empty = none. */
  line = '';
  /** @type {string | undefined} */
  cwd;
  /** @type {string[]} */
  history = [];
  /** @type {string[]} */
  #fresh = [];
  #freshSize = 0;
  #isDue = false;
  #drawnAt = 0;
  #sandbox;
  #live;
  #onDraw;

  /** @param {import('./live.js').Live} live @param {string} sandbox @param {() => void} onDraw */
  constructor(live, sandbox, onDraw) {
    this.#live = live;
    this.#sandbox = sandbox;
    this.#onDraw = onDraw;
  }

  /** Until what it returns is called. */
  listen() {
    return this.#live.onFrame(frame => this.#take(frame));
  }

  /** @param {string} command */
  run(command) {
    this.line = newId();
    this.history.push(command);
    this.#print(`${this.cwd ?? '~'} $ ${command}\n`);
    const from = this.cwd === undefined ? {} : { cwd: this.cwd };
    if (this.#live.send({ type: 'line', id: this.line, sandbox: this.#sandbox, command, ...from })) return;
    this.line = '';
    this.#print('[the gateway is not there now]\n');
  }

  stop() {
    this.#live.send({ type: 'stop-line', id: this.line });
  }

  /** @param {any} frame */
  #take(frame) {
    if (this.line === '') return;
    if (frame.type === 'cut-off') {
      this.line = '';
      this.#print('[the connection was lost; the command was stopped]\n');
    } else if (frame.id === this.line && frame.type === 'line-output') this.#print(frame.text);
    else if (frame.id === this.line && frame.type === 'line-end') this.#end(frame);
  }

  /** @param {any} frame */
  #end({ error, outcome, code, cwd }) {
    this.line = '';
    const last = this.#fresh.at(-1) ?? this.text;
    if (last !== '' && !last.endsWith('\n')) this.#print('\n');
    if (error) this.#print(`[${error.message}]\n`);
    else if (outcome !== 'exited') this.#print(`[${outcome}]\n`);
    else if (code) this.#print(`[exit code ${code}]\n`);
    if (cwd) this.cwd = cwd;
    this.#draw();
  }

  /** @param {string} text */
  #print(text) {
    this.#fresh.push(text);
    this.#freshSize += text.length;
    // What would be cut off anyhow is not kept until then.
    while (this.#freshSize - (this.#fresh[0]?.length ?? 0) > MOST_TEXT) {
      const gone = this.#fresh.shift()?.length ?? 0;
      this.#freshSize -= gone;
      this.dropped += gone;
    }
    this.#draw();
  }

  #draw() {
    if (this.#isDue) return;
    this.#isDue = true;
    const wait = Math.max(0, DRAW_MS - (performance.now() - this.#drawnAt));
    setTimeout(() => {
      const whole = this.text + this.#fresh.join('').replace(ESCAPES, '');
      const cut = Math.max(0, whole.length - MOST_TEXT);
      this.text = whole.slice(cut);
      this.dropped += cut;
      [this.#fresh, this.#freshSize, this.#isDue, this.#drawnAt] = [[], 0, false, performance.now()];
      this.#onDraw();
    }, wait);
  }
}
