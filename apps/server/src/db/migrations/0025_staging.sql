ALTER TABLE "projects" DROP CONSTRAINT "projects_sub_id_unique";--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "staging_of" uuid;--> statement-breakpoint
ALTER TABLE "wordpress_sites" ADD COLUMN "copied_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_staging_of_projects_id_fk" FOREIGN KEY ("staging_of") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "projects_subscription" ON "projects" USING btree ("sub_id") WHERE staging_of is null;--> statement-breakpoint
ALTER TABLE "projects" ADD CONSTRAINT "projects_staging_of_unique" UNIQUE("staging_of");