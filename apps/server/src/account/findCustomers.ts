import { sql } from "drizzle-orm";
import type { Db } from "../db/connect.ts";

export interface FoundCustomer {
  id: string;
  email: string;
  name: string;
  createdAt: string;
  projects: { name: string; recipe: string; status: string; subId: string; domains: string[] }[];
}

const maxFound = 50;

/** Finds customers by part of an e-mail address, project name or domain, or by a customer, project or subscription id. */
export async function findCustomers(db: Db, text: string): Promise<FoundCustomer[]> {
  const like = `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  const { rows } = await db.execute<{ found: FoundCustomer }>(sql`
    select json_build_object('id', u.id, 'email', u.email, 'name', trim(u.given_name || ' ' || u.family_name),
      'createdAt', u.created_at, 'projects', (
        select coalesce(json_agg(json_build_object('name', p.name, 'recipe', p.recipe, 'subId', p.sub_id,
          'status', case when p.archived_at is not null then 'deleted' when p.held_at is not null then 'held' else p.status end,
          'domains', (select coalesce(json_agg(d.domain || ' (' || d.status || ')' order by d.created_at), '[]')
            from domains d where d.project_id = p.id)) order by p.created_at), '[]')
        from projects p where p.user_id = u.id and p.staging_of is null)) as found
    from users u
    where lower(u.email) like ${like} or u.id::text = ${text} or exists (
      select 1 from projects p left join domains d on d.project_id = p.id
      where p.user_id = u.id and (p.name like ${like} or d.domain like ${like} or p.sub_id = ${text} or p.id::text = ${text}))
    order by u.email limit ${maxFound}`);
  return rows.map(({ found }) => found);
}
