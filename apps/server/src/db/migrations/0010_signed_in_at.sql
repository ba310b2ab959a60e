ALTER TABLE "cli_grants" ADD COLUMN "signed_in_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "cli_tokens" ADD COLUMN "signed_in_at" timestamp with time zone;