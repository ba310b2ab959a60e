ALTER TABLE "subscriptions" ADD COLUMN "requested_plan_id" text;--> statement-breakpoint
ALTER TABLE "wordpress_sites" ADD COLUMN "memory_peak" bigint;