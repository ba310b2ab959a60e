DROP INDEX "checkouts_name";--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "processing_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "payment_step" text;--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_name" ON "checkouts" USING btree ("name") WHERE "checkouts"."state" in ('open', 'processing');