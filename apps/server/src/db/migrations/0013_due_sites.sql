ALTER TABLE "wordpress_sites" ADD COLUMN "mail_due_at" timestamp with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "wordpress_sites" ADD COLUMN "next_cron_at" timestamp with time zone DEFAULT now();--> statement-breakpoint
ALTER TABLE "wordpress_sites" ADD COLUMN "pages_version" text;--> statement-breakpoint
ALTER TABLE "wordpress_sites" ADD COLUMN "pages_generation" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "wordpress_sites" ADD COLUMN "active_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "wordpress_sites" ADD COLUMN "measured_at" timestamp with time zone DEFAULT to_timestamp(0) NOT NULL;--> statement-breakpoint
ALTER TABLE "wordpress_sites" ADD COLUMN "backed_up_at" timestamp with time zone DEFAULT to_timestamp(0) NOT NULL;--> statement-breakpoint
CREATE INDEX "wordpress_sites_cron" ON "wordpress_sites" USING btree ("next_cron_at");--> statement-breakpoint
CREATE INDEX "wordpress_sites_mail" ON "wordpress_sites" USING btree ("mail_due_at");--> statement-breakpoint
CREATE INDEX "wordpress_sites_measured" ON "wordpress_sites" USING btree ("measured_at") WHERE active_at > measured_at;--> statement-breakpoint
CREATE INDEX "wordpress_sites_backed_up" ON "wordpress_sites" USING btree ("backed_up_at") WHERE active_at > backed_up_at;--> statement-breakpoint
CREATE INDEX "wordpress_sites_core" ON "wordpress_sites" USING btree ("core");--> statement-breakpoint
UPDATE "wordpress_sites" SET "mail_due_at" = null, "next_cron_at" = null
  FROM "projects" WHERE "projects"."id" = "project_id" AND "projects"."archived_at" IS NOT NULL;
