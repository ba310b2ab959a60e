CREATE TABLE "move_ins" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"project_id" uuid NOT NULL,
	"name" text NOT NULL,
	"size" bigint NOT NULL,
	"modified" bigint NOT NULL,
	"parts" text[] DEFAULT '{}' NOT NULL,
	"received" bigint DEFAULT 0 NOT NULL,
	"report" jsonb,
	"prefix" text,
	"problem" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "move_ins_project_id_unique" UNIQUE("project_id")
);
--> statement-breakpoint
ALTER TABLE "move_ins" ADD CONSTRAINT "move_ins_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;