// The firewall, interfaces and routes, and what attacks other machines.
import { hasFlag } from '../command.ts';
import type { Rule } from './rule.ts';

const LOCAL =
  /^(?:https?:\/\/)?(?:localhost|127(?:\.\d+){3}|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal|[\w-]+\.local(?:host)?)(?::\d+)?(?:[/?#]|$)/i;

export const networkFirewallRules: readonly Rule[] = [
  {
    id: 'network.firewall',
    threatens: 'network',
    severity: 'high',
    reason: 'Changes the firewall, an interface, a route or name resolution.',
    programs: [
      'iptables',
      'ip6tables',
      'iptables-restore',
      'ip6tables-restore',
      'ebtables-restore',
      'arptables-restore',
      'nft',
      'ufw',
      'firewall-cmd',
      'pfctl',
      'ip',
      'ifconfig',
      'route',
      'nmcli',
      'netsh',
      'ipset',
      'ebtables',
      'tc',
      'resolvectl',
      'networksetup',
      'ifdown',
      'iwconfig',
      'wg-quick',
      'brctl',
      'arp',
      'arpspoof',
      'ettercap',
    ],
    matches: command => {
      const { program, args } = command;
      const joined = args.join(' ');
      switch (program) {
        case 'iptables':
        case 'ip6tables':
        case 'ebtables':
          return (
            !/^(?:-t \w+ )?(?:-[nvx]*[LS]|--list|--version|-V|-h|-S)/.test(joined) &&
            !/(?:^| )-(?:[nvx]*L|S)(?: |$)/.test(joined) &&
            args.length > 0
          );
        case 'iptables-restore':
        case 'ip6tables-restore':
        case 'ebtables-restore':
        case 'arptables-restore':
          return !hasFlag(command, 't', 'test', 'help', 'version');
        case 'nft':
          return !/^(?:-\w+ )*list\b/.test(joined) && args.length > 0;
        case 'ufw':
          return /^(?:--force )?(?:disable|enable|reset|allow|deny|delete|reject|limit|default|insert|route)/.test(
            joined,
          );
        case 'firewall-cmd':
          return /--(?:add|remove|set|panic-on|reload|complete-reload|permanent)/.test(joined);
        case 'pfctl':
          return hasFlag(command, 'd', 'F', 'f', 'e');
        case 'ip':
          // What runs in a namespace is looked at by itself.
          return /\b(?:add|del|delete|flush|change|replace)\b|\bset\b/.test(joined.replace(/\bexec\b.*/, ''));
        case 'ifconfig':
          return /\b(?:down|up|add|del|netmask|promisc|hw)\b|\d+\.\d+\.\d+\.\d+/.test(joined);
        case 'route':
          return /\b(?:add|del|delete|flush|change)\b/.test(joined);
        case 'nmcli':
          return /\b(?:off|down|delete|modify|disconnect|up|add)\b/.test(joined);
        case 'netsh':
          return /\b(?:set|add|delete|reset)\b/.test(joined);
        case 'tc':
        case 'ipset':
        case 'brctl':
          return /\b(?:add|del|destroy|flush|replace|create|addbr|delbr|addif|delif)\b/.test(joined);
        case 'resolvectl':
          return /^(?:dns|domain|revert|flush-caches)\s+\S/.test(joined) && !joined.startsWith('flush');
        case 'networksetup':
          return /-(?:set|remove|create)/.test(joined);
        case 'arp':
          return hasFlag(command, 's', 'd');
        default:
          return args.length > 0;
      }
    },
    positive: [
      'iptables -F',
      'ufw disable',
      'nft flush ruleset',
      'ip link set eth0 down',
      'ifconfig eth0 down',
      'route del default',
      'firewall-cmd --panic-on',
      'iptables -P INPUT ACCEPT',
      'ip route flush table main',
      'iptables-restore < rules',
      'ip netns exec a ip link set eth0 down',
    ],
    negative: [
      'iptables -L -n',
      'ufw status',
      'nft list ruleset',
      'ip addr',
      'ip -br link show',
      'ifconfig',
      'route -n',
      'firewall-cmd --list-all',
      'nmcli device status',
      'iptables-save',
      'ip netns exec a cat set',
    ],
  },
  {
    id: 'network.scan',
    threatens: 'network',
    severity: 'medium',
    reason: 'Probes or attacks other machines, or listens to their traffic.',
    programs: [
      'nmap',
      'masscan',
      'zmap',
      'nikto',
      'sqlmap',
      'hydra',
      'medusa',
      'john',
      'hashcat',
      'tcpdump',
      'tshark',
      'dumpcap',
      'aircrack-ng',
      'hping3',
      'slowloris',
      'ab',
      'responder',
      'crackmapexec',
      'gobuster',
      'ffuf',
      'wfuzz',
      'dirb',
      'mitmproxy',
      'mimikatz',
      'metasploit',
      'amass',
      'ngrep',
    ],
    matches: ({ program, args }) =>
      args.some(arg => !arg.startsWith('-')) &&
      !args.some(arg => /^(?:--version|--help|-V|-h|-D|--list-interfaces)$/.test(arg)) &&
      !(program === 'ab' && args.some(arg => LOCAL.test(arg))) &&
      !(program === 'tcpdump' && args.includes('-r')) &&
      !(program === 'tshark' && args.includes('-r')),
    positive: [
      'nmap -sS 10.0.0.0/8',
      'hydra -l root -P words.txt ssh://x',
      'tcpdump -i eth0',
      'sqlmap -u http://x --dump',
      'masscan 0.0.0.0/0 -p80',
    ],
    negative: [
      'nmap --version',
      'tcpdump --help',
      'tshark -r trace.pcap',
      'ab -n 10 http://localhost:3000/',
      'man nmap',
    ],
  },
];
