ALTER TABLE "users" ADD COLUMN "provider_copy" jsonb;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "refused_details" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
-- Until now, each sync told the provider everything. The tax id is found by the next sync, which "unknown" makes look.
UPDATE "users" SET "provider_copy" = jsonb_build_object(
	'customer', "provider_id",
	'email', "email",
	'name', coalesce(nullif("company_name", ''), trim("given_name" || ' ' || "family_name")),
	'phone', left(regexp_replace("phone", '[^0-9+]', '', 'g'), 20),
	'address', CASE WHEN "country" = '' THEN '' ELSE
		'{"line1":' || to_json("address") || ',"line2":"","city":' || to_json("city") || ',"state":' || to_json("state")
		|| ',"postal_code":' || to_json("zipcode") || ',"country":' || to_json("country") || '}' END,
	'vat', 'unknown',
	'taxId', NULL
) WHERE "provider_id" IS NOT NULL;
