ALTER TABLE "checkouts" ADD COLUMN "promotion_code" text;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "first_purchase" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "trial_days" integer;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "trial_ends_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_first_purchase" ON "checkouts" USING btree ("user_id") WHERE "checkouts"."first_purchase" and "checkouts"."state" <> 'expired';--> statement-breakpoint
CREATE UNIQUE INDEX "checkouts_trial" ON "checkouts" USING btree ("user_id") WHERE "checkouts"."trial_days" is not null and "checkouts"."state" <> 'expired';