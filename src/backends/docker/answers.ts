// The parts of the engine's answers that we read.
import { z } from 'zod';

export const imageAnswer = z.object({
  Id: z.string(),
  Architecture: z.string().optional(),
  Config: z.object({ User: z.string().optional() }).nullish(),
});

export const infoAnswer = z.object({
  NCPU: z.number().default(0),
  Architecture: z.string().default(''),
  ServerVersion: z.string().default(''),
  OSType: z.string().default('linux'),
  MemoryLimit: z.boolean().default(false),
  SwapLimit: z.boolean().default(false),
  CpuCfsQuota: z.boolean().default(false),
  PidsLimit: z.boolean().default(true),
  SecurityOptions: z.array(z.string()).nullish(),
  DefaultRuntime: z.string().default(''),
  KernelVersion: z.string().default(''),
  Name: z.string().default(''),
});
export type Info = z.infer<typeof infoAnswer>;

/** Of the engine and of what it runs containers with. */
export const versionAnswer = z.object({
  Components: z.array(z.object({ Name: z.string(), Version: z.string() })).default([]),
});

export const idAnswer = z.object({ Id: z.string() });

export const containerAnswer = z.object({
  Id: z.string(),
  State: z.object({ Status: z.string().optional(), Running: z.boolean(), ExitCode: z.number().default(0) }),
  Config: z.object({ Labels: z.record(z.string(), z.string()).nullish() }),
  HostConfig: z.object({
    StorageOpt: z.record(z.string(), z.string()).nullish(),
    Tmpfs: z.record(z.string(), z.string()).nullish(),
  }),
});
export type Container = z.infer<typeof containerAnswer>;

export const listAnswer = z.array(
  z.object({
    Names: z.array(z.string()),
    Labels: z.record(z.string(), z.string()).nullish(),
  }),
);

export const execAnswer = z.object({ Running: z.boolean(), ExitCode: z.number().nullish() });

/** One line of a pull. */
export const pullLine = z.object({
  id: z.string().optional(),
  status: z.string().optional(),
  error: z.string().optional(),
  progressDetail: z.object({ current: z.number().optional(), total: z.number().optional() }).optional(),
});
