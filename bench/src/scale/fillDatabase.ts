import type { Client } from "pg";

/** The share of static sites; the others are WordPress sites. */
const staticShare = 0.1;
/** each in one deploy of a static site */
const filesPerDeploy = 200;

/**
 * Fills an empty database with so many projects: a tenth of them static sites with a deploy each, the others WordPress
 * sites; two projects a customer, and 1.1 domains a project. A fifth of what can be due is due.
 */
export async function fillDatabase(client: Client, projects: number) {
  const run = (statement: string) => client.query(statement);
  const isStatic = `n <= ${projects * staticShare}`;
  const uuid = (kind: string, n: string) => `md5('${kind}' || ${n})::uuid`;
  const series = (count: number) => `generate_series(1, ${count}) n`;
  await run("set synchronous_commit = off");
  await run(`insert into users (id, email, refcode, password_hash)
    select ${uuid("user", "n")}, 'customer' || n || '@example.com', 'ref' || n, 'x' from ${series(projects / 2)}`);
  await run(`insert into subscriptions (id, user_id, amount, currency, interval, created_at, period_start, period_end)
    select 'sub_' || n, ${uuid("user", "((n - 1) / 2 + 1)")}, 5900, 'eur', 'year', now(), now(), now() from ${series(projects)}`);
  await run(`insert into projects (id, user_id, name, recipe, recipe_id, sub_id, status)
    select ${uuid("project", "n")}, ${uuid("user", "((n - 1) / 2 + 1)")}, 'site' || n,
      case when ${isStatic} then 'static_starter' else 'wordpress_starter' end, 'prod_x', 'sub_' || n, 'active'
    from ${series(projects)}`);
  await run(`insert into wordpress_sites (project_id, username, lang, core, next_cron_at, mail_due_at, active_at, backed_up_at)
    select ${uuid("project", "n")}, 'lucia', 'es', '6.8.3',
      now() + (n % 5 - 1) * interval '1 hour' + random() * interval '50 minutes',
      case when n % 50 = 0 then now() - interval '1 minute' end,
      now() - interval '3 days', now() - interval '2 days' - (n % 5 = 0)::int * interval '3 days'
    from ${series(projects)} where not (${isStatic})`);
  await run(`insert into domains (id, project_id, name, domain, status, next_check_at)
    select ${uuid("domain", "n")}, ${uuid("project", `((n - 1) % ${projects} + 1)`)}, 'www.d' || n || '.example',
      'www.d' || n || '.example', 'verified', now() + (n % 5 - 1) * interval '1 hour' + random() * interval '50 minutes'
    from ${series(projects * 1.1)}`);
  await run(`insert into deploys (id, project_id, key, branch, message, files, file_count, size, missing, finished_at)
    select ${uuid("deploy", "n")}, ${uuid("project", "n")}, 'key', 'main', '', (
        select jsonb_agg(jsonb_build_array('assets/file' || f || '.js', md5(n || ' ' || f) || md5(f || ' ' || n), 5000))
        from generate_series(1, ${filesPerDeploy}) f),
      ${filesPerDeploy}, ${filesPerDeploy * 5000}, 0, now()
    from ${series(projects * staticShare)}`);
  await run(`insert into branches (project_id, name, deploy_id)
    select ${uuid("project", "n")}, 'main', ${uuid("deploy", "n")} from ${series(projects * staticShare)}`);
  await run("vacuum analyze");
  const { rows } = await run("select pg_size_pretty(pg_database_size(current_database())) size");
  return { files: projects * staticShare * filesPerDeploy, size: String(rows[0]?.["size"]) };
}
