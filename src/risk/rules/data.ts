// Databases and stores: what drops, empties or changes everything.
import { flagValues, operands } from '../command.ts';
import { destructiveStatements } from '../sql.ts';
import { type Judged, type Rule, verbsOf } from './rule.ts';

const SQL_CLIENTS = [
  'psql',
  'mysql',
  'mariadb',
  'sqlite3',
  'sqlite',
  'sqlcmd',
  'mssql-cli',
  'clickhouse-client',
  'clickhouse',
  'cockroach',
  'duckdb',
  'cqlsh',
  'pgcli',
  'mycli',
  'litecli',
  'usql',
  'snowsql',
  'bq',
  'sqlplus',
  'hive',
  'beeline',
  'presto',
  'trino',
  'impala-shell',
  'isql',
  'spark-sql',
  'influx',
  'wrangler',
  'd1',
  'turso',
  '@sql',
  'supabase',
  'usql',
];

/** All texts that a client would run: values of its flags, operands, and what comes in. */
function sqlOf(command: Judged): string[] {
  const flags = flagValues(
    command,
    'c',
    'command',
    'e',
    'execute',
    'Q',
    'q',
    'query',
    'f',
    'sql',
    'cmd',
    'command-text',
  );
  const words = operands(command).filter(word => / /.test(word));
  return [...flags, ...words, ...(command.program === '@sql' ? command.args : []), command.input?.text ?? ''];
}

const scripted = ({ args, input }: Judged): string => [...args, input?.text ?? ''].join(' ');

export const dataRules: readonly Rule[] = [
  {
    id: 'data.sql',
    threatens: 'data',
    severity: 'high',
    reason: 'Drops or empties tables, or changes all rows of one.',
    programs: SQL_CLIENTS,
    matches: command => sqlOf(command).some(sql => destructiveStatements(sql).length > 0),
    positive: [
      "psql -c 'DROP TABLE users'",
      'mysql -e "drop database prod"',
      'sqlite3 app.db "DELETE FROM users;"',
      'echo "TRUNCATE orders" | psql',
      'psql -c "UPDATE users SET admin = true"',
      'mysql <<< "delete from t where 1=1"',
      'psql prod -c "select 1; drop schema public cascade"',
      'psql --command="DELETE FROM a"',
      'mysql -uroot -pX -Ddb -e"TRUNCATE TABLE t"',
      "python3 -c \"import sqlite3; sqlite3.connect('a.db').execute('DROP TABLE t')\"",
      "psql -c 'with x as (delete from t returning *) select * from x'",
      "mysql -e '/*!50000 DROP TABLE x */'",
    ],
    negative: [
      "psql -c 'SELECT * FROM users'",
      'sqlite3 app.db "DELETE FROM users WHERE id = 3"',
      'psql -c "UPDATE users SET name = \'x\' WHERE id = 1"',
      'grep -r "DROP TABLE" migrations',
      'git commit -m "drop table users"',
      'psql -c "select \'drop table x\'"',
      'mysql -e "SHOW TABLES"',
      'psql -c "-- drop table x"',
      'sqlite3 a.db .schema',
      "psql -c 'with x as (delete from t where id = 1 returning *) select * from x'",
      "mysql -e 'select /*! STRAIGHT_JOIN */ a from b'",
    ],
  },
  {
    id: 'data.database',
    threatens: 'data',
    severity: 'high',
    reason: 'Removes or overwrites a whole database.',
    programs: [
      'dropdb',
      'dropuser',
      'mysqladmin',
      'pg_restore',
      'rails',
      'rake',
      'bin/rails',
      'artisan',
      'php',
      'python',
      'python3',
      'manage.py',
      'django-admin',
      'prisma',
      'npx',
      'sequelize',
      'sequelize-cli',
      'knex',
      'typeorm',
      'mix',
      'flyway',
      'liquibase',
      'alembic',
      'supabase',
      'pg_dropcluster',
      'mongorestore',
      'sqlx',
      'diesel',
      'dbmate',
      'drizzle-kit',
      'heroku',
      'goose',
      'influx',
      'createdb',
      'initdb',
      'pg_resetwal',
      'bundle',
    ],
    matches: ({ program, args }) => {
      const text = args.join(' ');
      if (/^(?:dropdb|dropuser|pg_dropcluster|pg_resetwal)$/.test(program))
        return args.some(arg => !arg.startsWith('-'));
      if (program === 'mysqladmin') return /\b(?:drop|shutdown|flush-privileges)\b/.test(text);
      if (program === 'pg_restore') return /(?:^| )(?:-[a-zA-Z]*c|--clean)(?: |$)/.test(text);
      if (program === 'mongorestore') return args.includes('--drop');
      if (program === 'manage.py') return /^(?:flush|reset_db|sqlflush)$/.test(args[0] ?? '');
      if (program === 'knex') return /rollback --all/.test(text);
      return (
        /\bdb:(?:drop|reset|purge|schema:load|migrate:reset|rollback:all|wipe|drop:all|migrate:undo:all)\b|\bmigrate[: ](?:reset|fresh|refresh)\b|\bdb:wipe\b|(?:^| )(?:manage\.py )?(?:flush|reset_db|sqlflush)(?: |$).*--?no-?input|\bmanage\.py (?:flush|reset_db)\b|\becto\.(?:drop|reset)\b|\bschema:drop\b|\bdatabase (?:drop|reset)\b|\bdb (?:reset|drop|push .*--(?:accept-data-loss|force-reset))\b|\bdrop-all\b|^drop\b|^clean\b(?=.*-url)|downgrade base|\bpg:reset\b/.test(
          text,
        ) &&
        (program !== 'flyway' || /clean/.test(text))
      );
    },
    positive: [
      'dropdb prod',
      'mysqladmin drop prod',
      'rails db:drop',
      'bundle exec rake db:reset',
      'php artisan migrate:fresh',
      'python manage.py flush --noinput',
      'npx prisma migrate reset --force',
      'mix ecto.drop',
      'alembic downgrade base',
    ],
    negative: [
      'rails db:migrate',
      'php artisan migrate',
      'createdb test',
      'pg_dump prod > x.sql',
      'python manage.py migrate',
      'npx prisma generate',
      'alembic upgrade head',
      'mysqladmin status',
    ],
  },
  {
    id: 'data.store',
    threatens: 'data',
    severity: 'high',
    reason: 'Empties a store, or deletes many records at once.',
    programs: [
      'redis-cli',
      'valkey-cli',
      'mongo',
      'mongosh',
      'etcdctl',
      'consul',
      'rabbitmqctl',
      'rabbitmqadmin',
      'kafka-topics',
      'kafka-topics.sh',
      'kafka-delete-records',
      'nats',
      'memcached-tool',
      'couchbase-cli',
      'influx',
      'curl',
      'cypher-shell',
      'ldapdelete',
      'ldapmodify',
      'keydb-cli',
      'neo4j-admin',
      'nodetool',
    ],
    matches: command => {
      const text = scripted(command);
      switch (command.program) {
        case 'redis-cli':
        case 'valkey-cli':
        case 'keydb-cli':
          return emptiesCache(command);
        case 'mongo':
        case 'mongosh':
          return /dropDatabase\s*\(|\.drop\s*\(|\.deleteMany\s*\(\s*(?:\{\s*\})?\s*\)|\.remove\s*\(\s*(?:\{\s*\})?\s*\)|\.updateMany\s*\(\s*\{\s*\}|dropUser|shutdownServer|dropIndexes/.test(
            text,
          );
        case 'etcdctl':
        case 'consul':
          return /\bdel\b.*--prefix|\bdel\b\s+(?:""|\/)|\bkv delete\b|kv rm -r|snapshot restore/.test(text);
        case 'rabbitmqctl':
        case 'rabbitmqadmin':
          return /\b(?:reset|force_reset|delete_\w+|purge_queue|stop_app|delete|purge)\b/.test(text);
        case 'curl':
          return (
            isDelete(command) &&
            (/:9200|:9243|_all|_delete_by_query|:5984|:8086|:8983/.test(text) ||
              !/localhost|127\.0\.0\.1/.test(text))
          );
        case 'cypher-shell':
          return /\bdelete\b/i.test(text);
        case 'ldapdelete':
          return true;
        case 'nodetool':
          return /^(?:decommission|removenode|drain|assassinate)/.test(command.args.join(' '));
        default:
          return /--delete\b|\bpurge\b|\brm\b|flush_all|bucket-delete|\bdelete\b/.test(text);
      }
    },
    positive: [
      'redis-cli FLUSHALL',
      'redis-cli -h x -n 1 flushdb',
      'mongosh prod --eval "db.dropDatabase()"',
      'mongo x --eval "db.users.deleteMany({})"',
      'kafka-topics.sh --delete --topic x --bootstrap-server y',
      'rabbitmqctl reset',
      'curl -X DELETE http://localhost:9200/_all',
      'etcdctl del "" --prefix',
      'curl -XDELETE https://api.example/users/1',
      'echo flushall | redis-cli',
    ],
    negative: [
      'redis-cli GET x',
      'redis-cli PING',
      'mongosh --eval "db.users.find()"',
      'mongosh --eval "db.users.deleteMany({a: 1})"',
      'kafka-topics.sh --list',
      'curl http://localhost:9200/_cat/indices',
      'rabbitmqctl list_queues',
      'curl -X DELETE http://localhost:3000/api/items/1',
    ],
  },
];

function isDelete(command: Judged): boolean {
  return (
    flagValues(command, 'X', 'request').some(method => /^delete$/i.test(method)) &&
    verbsOf(command).length > 0
  );
}

const CACHE_DEEDS =
  /^\s*(?:flushall|flushdb|shutdown|script\s+flush|debug\s+segfault|slaveof|replicaof|config\s+set|eval|evalsha)\b/i;

/** The first word is the command; the others are keys and values. */
function emptiesCache(command: Judged): boolean {
  const words = operands(command, [
    'h',
    'p',
    'n',
    'a',
    'u',
    's',
    'r',
    'i',
    'd',
    'user',
    'pass',
    'pattern',
    'cacert',
  ]);
  const lines = [words.join(' '), ...(command.input?.text?.split('\n') ?? [])];
  return (
    lines.some(line => CACHE_DEEDS.test(line)) ||
    (/^(?:del|unlink)$/i.test(words[0] ?? '') && command.via.includes('xargs'))
  );
}
