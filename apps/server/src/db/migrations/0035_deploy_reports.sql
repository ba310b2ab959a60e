ALTER TABLE "deploys" ADD COLUMN "report" jsonb;--> statement-breakpoint
ALTER TABLE "deploys" ADD COLUMN "findings" integer DEFAULT 0 NOT NULL;