CREATE TABLE "backups" (
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"reason" text NOT NULL,
	"note" text NOT NULL,
	"size" bigint NOT NULL,
	"core" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "backups_project_id_name_pk" PRIMARY KEY("project_id","name")
);
--> statement-breakpoint
ALTER TABLE "wordpress_sites" ADD COLUMN "work" jsonb;--> statement-breakpoint
ALTER TABLE "backups" ADD CONSTRAINT "backups_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;