<?php
// Invalidates the pages that the edge has cached: it uses them until the file `pages` changes.

function nido_pages_changed() {
	static $is_scheduled = false;
	if ( $is_scheduled ) {
		return;
	}
	$is_scheduled = true;
	add_action(
		'shutdown',
		static fn () => file_put_contents( NIDO_STATE_DIR . '/pages', bin2hex( random_bytes( 12 ) ) ),
		PHP_INT_MAX
	);
}

function nido_is_public_type( $type ) {
	return is_post_type_viewable( $type ) || in_array( $type, array( 'wp_template', 'wp_template_part', 'wp_global_styles', 'wp_navigation', 'wp_block', 'nav_menu_item', 'attachment' ), true );
}

add_action(
	'transition_post_status',
	static function ( $new, $old, $post ) {
		if ( ( 'publish' === $new || 'publish' === $old ) && nido_is_public_type( $post->post_type ) ) {
			nido_pages_changed();
		}
	},
	10,
	3
);
add_action(
	'clean_post_cache',
	static function ( $id, $post ) {
		if ( in_array( $post->post_status, array( 'publish', 'inherit' ), true ) && nido_is_public_type( $post->post_type ) ) {
			nido_pages_changed();
		}
	},
	10,
	2
);
foreach ( array( 'switch_theme', 'customize_save_after', 'activated_plugin', 'deactivated_plugin', 'upgrader_process_complete', 'wp_update_nav_menu', 'edited_term', 'delete_term', 'wp_set_comment_status', 'edit_comment', 'wp_update_comment_count', 'profile_update', 'sidebar_admin_setup', 'rest_save_sidebar' ) as $hook ) {
	add_action( $hook, 'nido_pages_changed', 10, 0 );
}
add_action(
	'updated_option',
	static function ( $name ) {
		$shown = '/^(blogname|blogdescription|permalink_structure|category_base|tag_base|show_on_front|page_on_front|page_for_posts|posts_per_page|date_format|time_format|timezone_string|WPLANG|site_icon|site_logo|sidebars_widgets|sticky_posts|blog_public|theme_mods_.*|widget_.*)$/';
		if ( preg_match( $shown, $name ) ) {
			nido_pages_changed();
		}
	}
);

// Plugins define this constant on pages that must not be cached.
add_action(
	'template_redirect',
	static function () {
		if ( defined( 'DONOTCACHEPAGE' ) && DONOTCACHEPAGE && ! headers_sent() ) {
			header( 'X-Nido-Keep: no' );
		}
	},
	PHP_INT_MAX
);
