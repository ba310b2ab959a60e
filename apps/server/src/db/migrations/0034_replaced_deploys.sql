-- "previous_id" stays in the table: during an update, the older product still reads it.
ALTER TABLE "branches" ADD COLUMN "replaced" jsonb DEFAULT '[]'::jsonb NOT NULL;
