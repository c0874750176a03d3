// Every rule, in the order of the families. A new rule is a new entry in the file of its family.
import { cloudRules } from './cloud.ts';
import { containerRules } from './containers.ts';
import { credentialRules } from './credentials.ts';
import { shownVariableRules } from './credentials-shown.ts';
import { dataRules } from './data.ts';
import { deletingRules } from './deleting.ts';
import { elsewhereRules } from './elsewhere.ts';
import { environmentRules } from './environment.ts';
import { hostFileRules } from './host-files.ts';
import { networkCodeRules } from './network-code.ts';
import { networkFirewallRules } from './network-firewall.ts';
import { networkPackageRules } from './network-packages.ts';
import { networkSendingRules } from './network-sending.ts';
import { permissionRules } from './permissions.ts';
import { persistenceRules } from './persistence.ts';
import { preloadRules } from './preload.ts';
import { privilegeRules } from './privileges.ts';
import { processRules } from './processes.ts';
import type { Rule } from './rule.ts';
import { selfRules } from './self.ts';
import { sensitiveWordRules } from './sensitive-words.ts';
import { unfamiliarRules } from './unfamiliar.ts';
import { uptimeRules } from './uptime.ts';
import { vcsRules } from './vcs.ts';

export const allRules: readonly Rule[] = [
  ...deletingRules,
  ...hostFileRules,
  ...persistenceRules,
  ...privilegeRules,
  ...preloadRules,
  ...permissionRules,
  ...processRules,
  ...uptimeRules,
  ...networkCodeRules,
  ...networkSendingRules,
  ...networkPackageRules,
  ...networkFirewallRules,
  ...credentialRules,
  ...shownVariableRules,
  ...environmentRules,
  ...dataRules,
  ...vcsRules,
  ...cloudRules,
  ...containerRules,
  ...selfRules,
  ...sensitiveWordRules,
  ...elsewhereRules,
  ...unfamiliarRules,
];
