// Watches the disk that a sandbox uses while it runs. Asking the file system how full it is costs next to nothing; only
// when that has grown by as much as the sandbox has left are its own files counted.
import { statfs } from 'node:fs/promises';
import type { Clock, Timer } from '../../base/clock.ts';
import { systemReason } from '../../base/system-reason.ts';
import type { DiskUsage } from './disk-usage.ts';

/** While something was just asked of the sandbox, or the disk fills; otherwise less and less often. */
const QUICK_MS = 100;
const SLOW_MS = 1_000;
/** Others may free what the sandbox takes; so it is counted once in a while anyway, if something ran. */
const RECOUNT_MS = 10_000;
/** Counting is followed by a pause of so many times as long. */
const SHARE = 5;

export interface DiskWatchOptions {
  /** Any folder on the file system in question. */
  readonly folder: string;
  readonly limitBytes: number;
  readonly measure: () => Promise<DiskUsage>;
  /** Called once, with the reason, when it uses more, or nobody can tell what it uses. */
  readonly onOver: (reason: string) => void;
  readonly clock: Clock;
}

export class DiskWatch {
  readonly #options: DiskWatchOptions;
  /** A sandbox that has more than its limit when it starts may keep that, so that it can be tidied up. */
  #allowed: number;
  #own = 0;
  /** What was used of the whole file system when it was last asked. */
  #whole: number | undefined;
  /** By how much that has grown, whoever did it, since the sandbox's own was counted. */
  #grown = 0;
  /** When nothing was hidden last: what was used of the whole, and what of that was the sandbox's own. */
  #clear: { readonly whole: number; readonly own: number } | undefined;
  #countedAt = 0;
  #notBefore = 0;
  #hasRun = true;
  #delayMs = QUICK_MS;
  #timer: Timer | undefined;
  #isLooking = false;
  #isOver = false;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
    this.#allowed = options.limitBytes;
  }

  /** `isEmpty`: the sandbox is new, and uses nothing yet. */
  start({ isEmpty }: { readonly isEmpty: boolean }): void {
    const begun = isEmpty ? this.#beginEmpty() : this.#countFirst();
    void begun.catch(error => this.#fail(error));
  }

  async #beginEmpty(): Promise<void> {
    await this.#askWhole();
    this.#clear = { whole: this.#whole ?? 0, own: 0 };
    this.#arm(QUICK_MS);
  }

  async #countFirst(): Promise<void> {
    await this.#count();
    this.#allowed = Math.max(this.#options.limitBytes, this.#own);
    this.#arm(QUICK_MS);
  }

  /** Something was asked of the sandbox. */
  wake(): void {
    this.#hasRun = true;
    if (this.#delayMs > QUICK_MS && !this.#isLooking) this.#arm(QUICK_MS);
  }

  stop(): void {
    this.#isOver = true;
    this.#timer?.cancel();
  }

  #arm(delayMs: number): void {
    this.#delayMs = delayMs;
    this.#timer?.cancel();
    if (!this.#isOver)
      this.#timer = this.#options.clock.after(
        delayMs,
        () => void this.#look().catch(error => this.#fail(error)),
      );
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    const isGrowing = await this.#askWhole();
    const { clock, limitBytes } = this.#options;
    const now = clock.monotonic();
    const mayBeOver = this.#own + this.#grown > this.#allowed;
    const isOld = this.#hasRun && now - this.#countedAt > RECOUNT_MS;
    if ((mayBeOver || isOld) && now >= this.#notBefore) await this.#count();
    this.#isLooking = false;
    if (this.#own > this.#allowed)
      this.#end(`it used ${mebibytes(this.#own)} MiB of disk, and ${mebibytes(limitBytes)} are allowed`);
    else this.#arm(isGrowing ? QUICK_MS : Math.min(2 * this.#delayMs, SLOW_MS));
  }

  #end(reason: string): void {
    if (this.#isOver) return;
    this.stop();
    this.#options.onOver(reason);
  }

  /** A sandbox that is being removed has been let go of before. */
  #fail(error: unknown): void {
    this.#end(`its disk cannot be watched: ${systemReason(error)}`);
  }

  async #count(): Promise<void> {
    const { clock, measure } = this.#options;
    const began = clock.monotonic();
    await this.#askWhole();
    this.#grown = 0;
    const { bytes, hasUnseen } = await measure();
    this.#own = bytes + (hasUnseen ? this.#unseen(bytes) : 0);
    if (!hasUnseen) this.#clear = { whole: this.#whole ?? 0, own: bytes };
    this.#countedAt = clock.monotonic();
    this.#notBefore = this.#countedAt + SHARE * (this.#countedAt - began);
    this.#hasRun = false;
  }

  /** While a sandbox hides something, what the whole has grown by and nobody can account for counts as the sandbox's. */
  #unseen(own: number): number {
    if (!this.#clear) return 0;
    return Math.max(0, (this.#whole ?? 0) - this.#clear.whole - (own - this.#clear.own));
  }

  /** Whether more is used than before. Less does not count: what others free says nothing about the sandbox. */
  async #askWhole(): Promise<boolean> {
    const { bsize, blocks, bfree } = await statfs(this.#options.folder);
    const whole = (blocks - bfree) * bsize;
    const growth = Math.max(0, whole - (this.#whole ?? whole));
    this.#whole = whole;
    this.#grown += growth;
    return growth > 0;
  }
}

function mebibytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024);
}
