-- From now on every token expires; tokens without an expiry date get one in a year. Existing earnings stay payable.
UPDATE "cli_tokens" SET "expires_at" = now() + interval '365 days' WHERE "expires_at" IS NULL;--> statement-breakpoint
ALTER TABLE "cli_tokens" ALTER COLUMN "expires_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "earnings" ADD COLUMN "refusal" text;--> statement-breakpoint
ALTER TABLE "earnings" ADD COLUMN "payable_at" timestamp with time zone DEFAULT now() + interval '30 days' NOT NULL;--> statement-breakpoint
ALTER TABLE "cli_tokens" ADD COLUMN "project_id" uuid;--> statement-breakpoint
ALTER TABLE "cli_tokens" ADD COLUMN "access" text DEFAULT 'publish' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "stored_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "wordpress_sites" ADD COLUMN "mail_suspended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "cli_tokens" ADD CONSTRAINT "cli_tokens_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
UPDATE "earnings" SET "payable_at" = "created_at";--> statement-breakpoint
UPDATE "users" SET "stored_bytes" = (SELECT coalesce(sum("size"), 0) FROM "blobs" WHERE "user_id" = "users"."id");
