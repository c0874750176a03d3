// The system calls by which a file gets a set-user-id or set-group-id bit. In a folder of the host that a sandbox can write, such a
// file would lend its owner's rights to everybody on the host, so the filters of sandboxes with one refuse these bits.

/** Both bits, in a mode. */
export const SET_ID_BITS = 0o6000;

/** The flags of `open` with which it takes its mode: O_CREAT, and that of O_TMPFILE. Without them the mode is rubbish. */
export const CREATING_FLAGS = [0x40, 0x400000] as const;

export interface ModeCall {
  /** Which argument is the mode, from 0. */
  readonly mode: number;
  /** Which argument has the flags that tell whether there is a mode; absent = there always is one. */
  readonly flags?: number;
}

export const MODE_CALLS = {
  chmod: { mode: 1 },
  fchmod: { mode: 1 },
  fchmodat: { mode: 2 },
  fchmodat2: { mode: 2 },
  creat: { mode: 1 },
  open: { mode: 2, flags: 1 },
  openat: { mode: 3, flags: 2 },
  mkdir: { mode: 1 },
  mkdirat: { mode: 2 },
  mknod: { mode: 1 },
  mknodat: { mode: 2 },
} as const satisfies Record<string, ModeCall>;

/** Its mode stands in memory, where no filter can look; where it does not exist, programs take `openat`. */
export const UNSEEN_MODE_CALL = 'openat2';
