// Clusters and cloud resources.
import { flagValues, hasFlag } from '../command.ts';
import { isTrial, type Judged, type Rule, VALUED_FLAGS, verbsOf } from './rule.ts';

const textOf = (command: Judged): string => verbsOf(command, VALUED_FLAGS).join(' ');

/** Verbs of the big clouds: `ec2 terminate-instances`, `compute instances delete`, `group delete`. */
const AWS =
  /(?:^| )(?:delete|terminate|remove|deregister|destroy|purge|disable|stop|reboot|revoke|detach|cancel|reset|release|modify-db|schedule-key-deletion|change)-?[\w-]*(?: |$)|^s3 (?:rm|rb)\b|^s3api (?:delete|put-bucket-(?:lifecycle|versioning))|cloudformation delete|^lambda (?:delete|update-function-code|invoke)/;
const GCLOUD =
  /(?:^| )(?:delete|reset|stop|destroy|disable|purge|abandon-instances|remove-[\w-]+|rm|failover|clear-[\w-]+)(?: |$)/;

export const cloudRules: readonly Rule[] = [
  {
    id: 'cloud.infrastructure',
    threatens: 'cloud',
    severity: 'high',
    reason: 'Takes down infrastructure that is described by code.',
    programs: [
      'terraform',
      'tofu',
      'terragrunt',
      'pulumi',
      'cdk',
      'cdktf',
      'sls',
      'serverless',
      'sam',
      'copilot',
      'eb',
      'vagrant',
      'packer',
      'ansible-playbook',
      'juju',
      'bosh',
      'cdk8s',
      'sst',
      'amplify',
    ],
    matches: command => {
      const [verb = '', second = ''] = verbsOf(command, [
        '-chdir',
        '-C',
        '--cwd',
        '-s',
        '--stack',
        '-var',
        '-target',
      ]);
      const { program, args } = command;
      if (isTrial(command)) return false;
      if (/^(?:terraform|tofu|terragrunt)$/.test(program)) {
        return (
          verb === 'destroy' ||
          (/^(?:run-all|apply-all|destroy-all)$/.test(verb) && /destroy|apply|^$/.test(second)) ||
          (verb === 'apply' && args.some(arg => /^--?(?:destroy|auto-approve)/.test(arg))) ||
          (verb === 'state' && /^(?:rm|push|mv|replace-provider)$/.test(second)) ||
          (verb === 'workspace' && second === 'delete') ||
          verb === 'force-unlock' ||
          verb === 'taint'
        );
      }
      if (program === 'pulumi')
        return (
          /^(?:destroy|down)$/.test(verb) ||
          (verb === 'stack' && second === 'rm') ||
          (verb === 'state' && second === 'delete') ||
          (verb === 'up' && hasFlag(command, 'y', 'yes'))
        );
      if (program === 'vagrant') return verb === 'destroy' || verb === 'halt';
      return (
        /^(?:destroy|remove|delete|terminate|down|destroy-model|kill-controller|delete-deployment)$/.test(
          verb,
        ) ||
        (/^(?:app|env|svc)$/.test(verb) && second === 'delete')
      );
    },
    positive: [
      'terraform destroy',
      'terraform -chdir=infra destroy -auto-approve',
      'terraform apply -auto-approve',
      'tofu apply -destroy',
      'pulumi destroy -y',
      'cdk destroy --force',
      'terraform state rm x',
      'serverless remove',
      'vagrant destroy -f',
    ],
    negative: [
      'terraform plan',
      'terraform plan -destroy',
      'terraform init',
      'terraform validate',
      'pulumi preview',
      'cdk diff',
      'terraform state list',
      'vagrant status',
      'terraform fmt',
    ],
  },
  {
    id: 'cloud.cluster',
    threatens: 'cloud',
    severity: 'high',
    reason: 'Removes or disturbs what runs in a cluster.',
    programs: [
      'kubectl',
      'oc',
      'helm',
      'k3s',
      'kind',
      'minikube',
      'k3d',
      'eksctl',
      'kops',
      'kubeadm',
      'argocd',
      'flux',
      'nomad',
      'istioctl',
      'velero',
      'rancher',
      'helmfile',
      'kustomize',
      'k',
      'microk8s',
    ],
    matches: command => {
      if (isTrial(command)) return false;
      const text = textOf(command).replace(/^kubectl /, '');
      switch (command.program) {
        case 'kubectl':
        case 'k':
        case 'oc':
        case 'k3s':
        case 'microk8s':
          return (
            /^(?:delete|drain|cordon|evict|taint|replace|patch)\b/.test(text) ||
            (/^scale\b/.test(text) && flagValues(command, 'replicas').includes('0')) ||
            /^rollout (?:restart|undo)/.test(text) ||
            (/^apply\b/.test(text) && (hasFlag(command, 'prune') || hasFlag(command, 'force'))) ||
            /^config (?:delete-|unset)/.test(text) ||
            /^adm\b.*(?:drain|prune)/.test(text)
          );
        case 'helm':
          return /^(?:uninstall|delete|del|un|rollback)\b/.test(text);
        case 'helmfile':
          return /^(?:destroy|delete)\b/.test(text);
        case 'kubeadm':
          return /^reset/.test(text);
        case 'nomad':
          return /^(?:stop|job stop|system gc|node drain|namespace delete)/.test(text);
        default:
          return /\b(?:delete|uninstall|purge|reset|remove)\b/.test(text);
      }
    },
    positive: [
      'kubectl delete ns prod',
      'kubectl -n prod delete pods --all',
      'helm uninstall app',
      'kubectl drain node1',
      'kubectl scale deploy/x --replicas=0',
      'eksctl delete cluster x',
      'kind delete cluster',
      'oc delete project x',
      'kubectl delete -f x.yaml',
    ],
    negative: [
      'kubectl get pods',
      'kubectl delete pod x --dry-run=client',
      'kubectl describe pod x',
      'helm list',
      'kubectl logs x',
      'kubectl apply -f x.yaml',
      'helm template .',
      'kubectl scale deploy/x --replicas=3',
    ],
  },
  {
    id: 'cloud.provider',
    threatens: 'cloud',
    severity: 'high',
    reason: 'Deletes or stops resources in a cloud account.',
    programs: [
      'aws',
      'gcloud',
      'gsutil',
      'az',
      'doctl',
      'heroku',
      'fly',
      'flyctl',
      'vercel',
      'netlify',
      'linode-cli',
      'hcloud',
      'oci',
      'ibmcloud',
      's3cmd',
      's5cmd',
      'mc',
      'wrangler',
      'firebase',
      'supabase',
      'railway',
      'render',
      'scw',
      'openstack',
      'vultr-cli',
      'bq',
      'az-cli',
      'aliyun',
      'exo',
      'planetscale',
      'pscale',
      'neonctl',
      'stripe',
      'ovhai',
      'cf',
      'govc',
    ],
    matches: command => {
      if (isTrial(command)) return false;
      const text = textOf(command);
      switch (command.program) {
        case 'aws':
          return (
            AWS.test(text) ||
            (/^s3 (?:sync|mv)\b/.test(text) && (hasFlag(command, 'delete') || /^s3 mv s3:/.test(text)))
          );
        case 'gcloud':
          return GCLOUD.test(text);
        case 'gsutil':
          return /^(?:rm|rb)\b/.test(text) || (/^rsync\b/.test(text) && hasFlag(command, 'd'));
        case 'az':
          return /(?:^| )(?:delete|purge|stop|deallocate|delete-batch|reset|remove|disable|restart)(?: |$)/.test(
            text,
          );
        case 's3cmd':
        case 's5cmd':
        case 'mc':
          return /^(?:del|rm|rb|expire|--recursive del)\b/.test(text);
        case 'heroku':
          return /:(?:destroy|delete|remove|reset|rollback|unset|disable|wipe|kill)|^ps:scale .*=0/.test(
            text,
          );
        case 'bq':
          return /^rm\b/.test(text);
        case 'stripe':
          return /\b(?:delete|cancel|refunds create|--live)\b/.test(text);
        default:
          return /(?:^| |:)(?:delete|destroy|remove|rm|terminate|purge|drop|disable|suspend|stop|scale 0|apps destroy|undeploy|hosting:disable|d)(?: |:|$)/.test(
            text,
          );
      }
    },
    positive: [
      'aws s3 rm s3://b --recursive',
      'aws ec2 terminate-instances --instance-ids i-1',
      'gcloud compute instances delete x',
      'az group delete -n prod --yes',
      'aws s3 rb s3://b --force',
      'gsutil -m rm -r gs://b',
      'heroku apps:destroy -a x',
      'doctl compute droplet delete 1',
      'aws --profile prod rds delete-db-instance --db-instance-identifier x',
      'fly apps destroy x',
    ],
    negative: [
      'aws s3 ls',
      'aws ec2 describe-instances',
      'gcloud compute instances list',
      'az group list',
      'gsutil ls gs://b',
      'heroku logs',
      'aws s3 rm s3://b/x --dryrun',
      'doctl compute droplet list',
    ],
  },
];
