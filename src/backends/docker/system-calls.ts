// The system calls that Docker's default profile leaves to a container, by what they are for, but for io_uring. Names that a
// processor does not have count for nothing there. Checked call by call against the filter of a real engine.

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Whatever their arguments. */
export const ALLOWED: readonly string[] = [
  'exit exit_group fork vfork execve execveat wait4 waitid waitpid getpid getppid gettid getpgid getpgrp getsid setpgid setsid',
  'set_tid_address set_robust_list get_robust_list rseq membarrier restart_syscall process_mrelease pidfd_open pidfd_send_signal',
  'kill tkill tgkill pause rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait',
  'rt_sigtimedwait_time64 rt_tgsigqueueinfo sigaltstack sigprocmask sigreturn signalfd signalfd4',
  'futex futex_time64 futex_waitv getcpu sched_yield sched_getaffinity sched_setaffinity sched_getattr sched_setattr',
  'sched_getparam sched_setparam sched_getscheduler sched_setscheduler sched_get_priority_max sched_get_priority_min',
  'sched_rr_get_interval sched_rr_get_interval_time64 getpriority setpriority ioprio_get ioprio_set',
  // Memory
  'brk mmap mmap2 munmap mremap mprotect madvise mincore msync mlock mlock2 mlockall munlock munlockall remap_file_pages',
  'memfd_create memfd_secret',
  // Files and folders
  'open openat openat2 creat close close_range read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek _llseek',
  'dup dup2 dup3 fcntl fcntl64 flock ioctl pipe pipe2 splice tee vmsplice sendfile sendfile64 copy_file_range readahead',
  'access faccessat faccessat2 stat stat64 lstat lstat64 fstat fstat64 fstatat64 newfstatat statx statfs statfs64 fstatfs fstatfs64',
  'chdir fchdir getcwd getdents getdents64 mkdir mkdirat rmdir mknod mknodat rename renameat renameat2 umask',
  'link linkat symlink symlinkat readlink readlinkat unlink unlinkat chmod fchmod fchmodat',
  'chown chown32 lchown lchown32 fchown fchown32 fchownat utime utimes utimensat utimensat_time64 futimesat',
  'truncate truncate64 ftruncate ftruncate64 fallocate fadvise64 fadvise64_64 sync syncfs fsync fdatasync sync_file_range',
  'getxattr lgetxattr fgetxattr setxattr lsetxattr fsetxattr listxattr llistxattr flistxattr',
  'removexattr lremovexattr fremovexattr inotify_init inotify_init1 inotify_add_watch inotify_rm_watch fanotify_mark',
  // Waiting, and the older asynchronous input and output
  'select _newselect pselect6 pselect6_time64 poll ppoll ppoll_time64 epoll_create epoll_create1 epoll_ctl epoll_ctl_old',
  'epoll_pwait epoll_pwait2 epoll_wait epoll_wait_old eventfd eventfd2',
  'io_setup io_destroy io_submit io_cancel io_getevents io_pgetevents io_pgetevents_time64',
  // Sockets and messages between processes
  'socketcall socketpair bind listen accept accept4 connect getsockname getpeername getsockopt setsockopt shutdown',
  'send sendto sendmsg sendmmsg recv recvfrom recvmsg recvmmsg recvmmsg_time64',
  'ipc msgget msgctl msgrcv msgsnd semget semctl semop semtimedop semtimedop_time64 shmget shmat shmctl shmdt mq_open mq_unlink',
  'mq_notify mq_getsetattr mq_timedreceive mq_timedreceive_time64 mq_timedsend mq_timedsend_time64',
  // Time
  'time times gettimeofday nanosleep alarm getitimer setitimer clock_getres clock_getres_time64 clock_gettime clock_gettime64',
  'clock_nanosleep clock_nanosleep_time64 adjtimex clock_adjtime clock_adjtime64 timer_create timer_delete timer_getoverrun',
  'timer_gettime timer_gettime64 timer_settime timer_settime64 timerfd_create timerfd_gettime timerfd_gettime64',
  'timerfd_settime timerfd_settime64',
  // Users, rights, limits and the system
  'getuid getuid32 geteuid geteuid32 getgid getgid32 getegid getegid32 getgroups getgroups32 getresuid getresuid32 getresgid',
  'getresgid32 setuid setuid32 setgid setgid32 setgroups setgroups32 setreuid setreuid32 setregid setregid32 setresuid',
  'setresuid32 setresgid setresgid32 setfsuid setfsuid32 setfsgid setfsgid32 capget capset prctl seccomp',
  'landlock_create_ruleset landlock_add_rule landlock_restrict_self getrlimit ugetrlimit setrlimit prlimit64 getrusage',
  'getrandom sysinfo uname set_thread_area get_thread_area',
].flatMap(words);

/** What the default profiles of later engines have besides. */
export const LATER: readonly string[] = words(
  'cachestat fchmodat2 futex_requeue futex_wait futex_wake map_shadow_stack mseal',
);

/** By the processor as the engine calls it: its architectures for the filter, and calls that only it has. */
export const PROCESSORS: Readonly<
  Record<string, { filter: string; also: readonly string[]; calls: readonly string[] }>
> = {
  x86_64: {
    filter: 'SCMP_ARCH_X86_64',
    also: ['SCMP_ARCH_X86', 'SCMP_ARCH_X32'],
    calls: ['arch_prctl', 'modify_ldt'],
  },
  aarch64: {
    filter: 'SCMP_ARCH_AARCH64',
    also: ['SCMP_ARCH_ARM'],
    calls: words('arm_fadvise64_64 arm_sync_file_range sync_file_range2 breakpoint cacheflush set_tls'),
  },
};

/** What a capability opens besides: without the calls it would be of no use. */
export const OF_CAPABILITY: Readonly<Record<string, readonly string[]>> = {
  DAC_READ_SEARCH: ['open_by_handle_at'],
  SYSLOG: ['syslog'],
  SYS_ADMIN:
    words(`bpf clone clone3 fanotify_init fsconfig fsmount fsopen fspick lookup_dcookie mount mount_setattr move_mount
    name_to_handle_at open_tree perf_event_open quotactl quotactl_fd setdomainname sethostname setns syslog umount umount2 unshare`),
  SYS_BOOT: ['reboot'],
  SYS_CHROOT: ['chroot'],
  SYS_MODULE: ['delete_module', 'finit_module', 'init_module'],
  SYS_NICE: ['get_mempolicy', 'mbind', 'set_mempolicy'],
  SYS_PACCT: ['acct'],
  SYS_PTRACE: words('kcmp pidfd_getfd process_madvise process_vm_readv process_vm_writev'),
  SYS_RAWIO: ['ioperm', 'iopl'],
  SYS_TIME: ['clock_settime', 'settimeofday', 'stime'],
  SYS_TTY_CONFIG: ['vhangup'],
};
