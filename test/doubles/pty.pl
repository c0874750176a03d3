# Runs a program on a new pseudo-terminal: what comes in on standard input is typed, what it prints goes to standard output. It
# begins its session itself (`setsid -c`).
# Each way has a process of its own, so neither waits for the other. Ends as the program ends; on SIGTERM it hangs up.
use strict;
use warnings;
use Fcntl;
use POSIX ();

my ($TIOCSPTLCK, $TIOCGPTN) = (0x40045431, 0x80045430);

sysopen(my $master, '/dev/ptmx', O_RDWR | O_NOCTTY) or die "ptmx: $!";
my $number = pack("i", 0);
ioctl($master, $TIOCSPTLCK, $number) or die "unlock: $!";
ioctl($master, $TIOCGPTN, $number) or die "number: $!";
sysopen(my $slave, '/dev/pts/' . unpack('i', $number), O_RDWR | O_NOCTTY) or die "slave: $!";

my $program = fork() // die "fork: $!";
if ($program == 0) {
  POSIX::dup2(fileno($slave), $_) for 0 .. 2;
  POSIX::close($_) for 3 .. 31;
  { exec { $ARGV[0] } @ARGV };
  POSIX::_exit(127);
}
close $slave;

my $typist = fork() // die "fork: $!";
if ($typist == 0) {
  copy(\*STDIN, $master);
  POSIX::_exit(0);
}
close STDIN;
# Both hold the terminal: it hangs up when both are gone.
$SIG{TERM} = sub { kill 'KILL', $typist; POSIX::_exit(143) };
copy($master, \*STDOUT);
waitpid($program, 0);
my $status = $?;
kill 'KILL', $typist;
waitpid($typist, 0);
POSIX::_exit($status & 127 ? 128 + ($status & 127) : $status >> 8);

# A terminal gives little at once: what else is there goes along.
sub copy {
  my ($from, $to) = @_;
  my $wanted = '';
  vec($wanted, fileno($from), 1) = 1;
  while (sysread($from, my $data, 65536)) {
    while (length $data < 32768 && select(my $ready = $wanted, undef, undef, 0)) {
      last unless sysread($from, $data, 65536, length $data);
    }
    my $done = 0;
    while ($done < length $data) {
      my $count = syswrite($to, $data, length($data) - $done, $done);
      return unless defined $count;
      $done += $count;
    }
  }
}
