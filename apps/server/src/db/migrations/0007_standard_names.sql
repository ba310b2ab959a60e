-- The command-line tool is "CLI" everywhere, and a deleted project takes its WordPress rows along.
ALTER TABLE "tool_tokens" RENAME TO "cli_tokens";--> statement-breakpoint
ALTER TABLE "cli_tokens" RENAME CONSTRAINT "tool_tokens_pkey" TO "cli_tokens_pkey";--> statement-breakpoint
ALTER TABLE "cli_tokens" RENAME CONSTRAINT "tool_tokens_token_hash_unique" TO "cli_tokens_token_hash_unique";--> statement-breakpoint
ALTER TABLE "cli_tokens" RENAME CONSTRAINT "tool_tokens_user_id_users_id_fk" TO "cli_tokens_user_id_users_id_fk";--> statement-breakpoint
ALTER INDEX "tool_tokens_user" RENAME TO "cli_tokens_user";--> statement-breakpoint
ALTER TABLE "tool_grants" RENAME TO "cli_grants";--> statement-breakpoint
ALTER TABLE "cli_grants" RENAME CONSTRAINT "tool_grants_pkey" TO "cli_grants_pkey";--> statement-breakpoint
ALTER TABLE "cli_grants" RENAME CONSTRAINT "tool_grants_user_code_unique" TO "cli_grants_user_code_unique";--> statement-breakpoint
ALTER TABLE "cli_grants" RENAME CONSTRAINT "tool_grants_user_id_users_id_fk" TO "cli_grants_user_id_users_id_fk";--> statement-breakpoint
ALTER INDEX "tool_grants_expiry" RENAME TO "cli_grants_expiry";--> statement-breakpoint
ALTER TABLE "cli_grants" RENAME COLUMN "tool" TO "machine";--> statement-breakpoint
ALTER TABLE "wordpress_sites" DROP CONSTRAINT "wordpress_sites_project_id_projects_id_fk";--> statement-breakpoint
ALTER TABLE "wordpress_sites" ADD CONSTRAINT "wordpress_sites_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sso_tokens" DROP CONSTRAINT "sso_tokens_project_id_projects_id_fk";--> statement-breakpoint
ALTER TABLE "sso_tokens" ADD CONSTRAINT "sso_tokens_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;
