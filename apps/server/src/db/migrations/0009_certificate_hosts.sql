CREATE TABLE "certificate_hosts" (
	"host" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"granted_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "certificate_hosts" ADD CONSTRAINT "certificate_hosts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "certificate_hosts_user" ON "certificate_hosts" USING btree ("user_id","granted_at");--> statement-breakpoint
INSERT INTO "certificate_hosts" ("host", "user_id", "granted_at")
  SELECT d."domain", p."user_id", now() - interval '1 day' FROM "domains" d JOIN "projects" p ON p."id" = d."project_id"
  WHERE d."status" IN ('verified', 'failing') ON CONFLICT DO NOTHING;
