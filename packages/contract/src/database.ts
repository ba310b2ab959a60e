import { z } from "zod";

const name = z.string().min(1).max(200);

/** `GET /api/projects/{id}/database`: the tables of a WordPress site. */
export const siteTablesSchema = z.object({
  tables: z
    .array(
      z.object({
        name,
        /** an estimate for large tables */
        rows: z.int().min(0),
        /** in bytes; absent if unknown */
        size: z.int().min(0).optional(),
      }),
    )
    .max(1000),
});
export type SiteTables = z.infer<typeof siteTablesSchema>;

export const rowsPerPage = 50;
/** `GET /api/projects/{id}/database/rows` */
export const tableQuerySchema = z.strictObject({
  table: name,
  offset: z.coerce.number().int().min(0).max(1e9).default(0),
});

/** `POST /api/projects/{id}/database/query`: one statement. */
export const databaseQuerySchema = z.strictObject({ sql: z.string().trim().min(1).max(8000) });

export const maxQueryRows = 200;
/** The rows of a table, or what a statement answered. Long values are cut. */
export const queryResultSchema = z.object({
  columns: z.array(z.string().max(300)).max(1000),
  rows: z.array(z.array(z.string().max(2000).nullable()).max(1000)).max(maxQueryRows),
  /** There are more rows. */
  has_more: z.boolean(),
  /** how many rows the statement has changed */
  changed: z.int().min(0).optional(),
  /** what the database says about a statement that it refuses */
  problem: z.string().max(2000).optional(),
});
export type QueryResult = z.infer<typeof queryResultSchema>;
