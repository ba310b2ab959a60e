ALTER TABLE "subscriptions" ADD COLUMN "owed_amount" integer;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "pay_url" text;