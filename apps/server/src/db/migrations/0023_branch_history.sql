ALTER TABLE "branches" ADD COLUMN "history" uuid[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
-- What was published to a branch before the deploy that it shows, the newest last.
UPDATE "branches" SET "history" = coalesce((
  SELECT array_agg(earlier.id ORDER BY earlier.finished_at)
  FROM "deploys" shown CROSS JOIN LATERAL (
    SELECT d.id, d.finished_at FROM "deploys" d
    WHERE d.project_id = "branches"."project_id" AND d.branch = "branches"."name" AND d.finished_at < shown.finished_at
    ORDER BY d.finished_at DESC LIMIT 50) earlier
  WHERE shown.id = "branches"."deploy_id"), '{}');
