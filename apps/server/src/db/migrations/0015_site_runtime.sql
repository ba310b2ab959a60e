ALTER TABLE "wordpress_sites" ADD COLUMN "runtime" text DEFAULT 'local' NOT NULL;--> statement-breakpoint
ALTER TABLE "wordpress_sites" ADD COLUMN "is_moving" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "wordpress_sites" SET "runtime" = 'kubernetes' WHERE "project_id" IN (SELECT "site_id" FROM "cluster_sites");
