CREATE TABLE "traffic" (
	"project_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"requests" bigint NOT NULL,
	"bots" bigint NOT NULL,
	"views" bigint NOT NULL,
	"visits" bigint NOT NULL,
	"bytes" bigint NOT NULL,
	"php_ms" bigint NOT NULL,
	CONSTRAINT "traffic_project_id_at_pk" PRIMARY KEY("project_id","at")
);
--> statement-breakpoint
ALTER TABLE "traffic" ADD CONSTRAINT "traffic_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "traffic_age" ON "traffic" USING btree ("at");