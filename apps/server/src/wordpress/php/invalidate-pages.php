<?php
// Invalidates the pages that the edge has cached: it uses them until the file `pages` changes. Every write that a
// visitor might see counts, if it is made by WordPress's functions or to a plugin's own table. The lists below name what
// no visitor sees.

/** Options of WordPress's own work. */
const NIDO_UNSEEN_OPTIONS = '/^(cron|_transient_.*|_site_transient_.*|.*[._]lock|lock_.*|recovery_.*|auto_(core|plugin|theme)_.*|recently_(activated|edited)|can_compress_scripts|db_upgraded|fresh_site|finished_.*|uninstall_plugins|user_count|initial_db_version|admin_email_lifespan|auth_(key|salt)|(logged_in|nonce|secure_auth)_(key|salt)|https_detection_errors|using_application_passwords|action_scheduler_.*|nido_prepared)$/';
/** What the editor and the admin screens note about posts and users. */
const NIDO_UNSEEN_META = '/^(_edit_(lock|last)|_encloseme|_pingme|_wp_(old_(slug|date)|trash_meta_.*|desired_post_slug|suggested_privacy_policy_content)|session_tokens|_application_passwords|default_password_nag|.*user-settings.*|.*persisted_preferences|.*dashboard_quick_press.*|community-events-location|(closedpostboxes|metaboxhidden|meta-box-order|screen_layout|manage)[_a-z].*|dismissed_wp_pointers|wp_media_library_mode|show_welcome_panel|last_update|.*last_?login.*|_woocommerce_persistent_cart.*|wc_last_active|akismet_.*)$/';

/** Types of posts that no page shows: what WordPress and shops note, and what visitors send. */
const NIDO_UNSEEN_TYPES = array( 'revision', 'customize_changeset', 'oembed_cache', 'user_request', 'shop_order', 'shop_order_refund', 'shop_order_placehold', 'shop_subscription', 'scheduled-action', 'flamingo_inbound', 'flamingo_contact', 'feedback' );

/** There if the pages are to end later. */
const NIDO_PAGES_DUE = NIDO_STATE_DIR . '/pages-due';

function nido_pages_changed() {
	static $is_scheduled = false;
	if ( $is_scheduled ) {
		return;
	}
	$is_scheduled = true;
	nido_write_pages(); // at once, because the request may end before its shutdown
	add_action( 'shutdown', 'nido_write_pages', PHP_INT_MAX );
}

function nido_write_pages() {
	file_put_contents( NIDO_STATE_DIR . '/pages', bin2hex( random_bytes( 12 ) ) );
	@unlink( NIDO_PAGES_DUE );
}

/**
 * For a write that no visitor may have asked for. Visitors' own requests end the pages once a minute at most: what comes
 * sooner is remembered, and WP-Cron ends the pages.
 */
function nido_pages_may_have_changed() {
	// They have ended in this request already, and end again with it.
	if ( has_action( 'shutdown', 'nido_write_pages' ) ) {
		return;
	}
	$is_visitor = ! wp_doing_cron() && ! nido_is_platform() && ! ( function_exists( 'is_user_logged_in' ) && is_user_logged_in() );
	if ( ! $is_visitor || ( ! nido_is_page_view() && nido_pages_may_end_at() <= time() ) ) {
		nido_pages_changed();
	} elseif ( ! nido_is_page_view() && ! is_file( NIDO_PAGES_DUE ) ) {
		touch( NIDO_PAGES_DUE );
		nido_write_next_cron();
	}
}

function nido_pages_may_end_at() {
	return (int) @filemtime( NIDO_STATE_DIR . '/pages' ) + MINUTE_IN_SECONDS;
}

function nido_is_platform() {
	return str_starts_with( $_SERVER['SCRIPT_FILENAME'], __DIR__ . '/' );
}

/** What a plugin writes while it renders a page that the edge may cache is a counter of visits or a cache of its own. */
function nido_is_page_view() {
	return '/index.php' === $_SERVER['SCRIPT_NAME'] && in_array( $_SERVER['REQUEST_METHOD'], array( 'GET', 'HEAD' ), true ) && ! $_GET && ! str_starts_with( $_SERVER['REQUEST_URI'], '/wp-json' );
}

/** Whether visitors see what belongs to this id. In doubt they do: the id may be of something else than a post. */
function nido_is_public( $id ) {
	$post = get_post( $id );
	return ! $post || nido_is_public_post( $post );
}

function nido_is_public_post( $post ) {
	return ! in_array( $post->post_type, NIDO_UNSEEN_TYPES, true ) && nido_is_public_status( $post->post_status );
}

function nido_is_public_status( $status ) {
	return 'inherit' === $status || is_post_status_viewable( $status );
}

add_action(
	'transition_post_status',
	static function ( $new, $old, $post ) {
		if ( ! in_array( $post->post_type, NIDO_UNSEEN_TYPES, true ) && ( nido_is_public_status( $new ) || nido_is_public_status( $old ) ) ) {
			nido_pages_changed();
		}
	},
	10,
	3
);
add_action(
	'clean_post_cache',
	static function ( $id, $post ) {
		if ( nido_is_public_post( $post ) ) {
			nido_pages_changed();
		}
	},
	10,
	2
);
foreach ( array( 'switch_theme', 'customize_save_after', 'activated_plugin', 'deactivated_plugin', 'upgrader_process_complete', 'wp_update_nav_menu', 'created_term', 'edited_term', 'delete_term', 'wp_set_comment_status', 'edit_comment', 'wp_update_comment_count', 'profile_update', 'deleted_user', 'sidebar_admin_setup', 'rest_save_sidebar' ) as $hook ) {
	add_action( $hook, 'nido_pages_may_have_changed', 10, 0 );
}

add_action( 'set_object_terms', static fn ( $id ) => nido_is_public( $id ) && nido_pages_may_have_changed() );
foreach ( array( 'added_option', 'updated_option', 'deleted_option' ) as $hook ) {
	add_action(
		$hook,
		static function ( $name ) {
			if ( ! preg_match( NIDO_UNSEEN_OPTIONS, $name ) ) {
				nido_pages_may_have_changed();
			}
		}
	);
}
foreach ( array( 'added', 'updated', 'deleted' ) as $change ) {
	foreach ( array( 'post', 'term', 'comment', 'user' ) as $kind ) {
		add_action(
			"{$change}_{$kind}_meta",
			static function ( $id, $object, $key ) use ( $kind ) {
				if ( ! preg_match( NIDO_UNSEEN_META, $key ) && ( 'post' !== $kind || nido_is_public( $object ) ) ) {
					nido_pages_may_have_changed();
				}
			},
			10,
			3
		);
	}
}
// Plugins' own tables.
add_filter(
	'query',
	static function ( $query ) {
		global $wpdb;
		$write = '~^(?:\s|/\*.*?\*/)*(?:DELETE\b.*?\bFROM|(?:INSERT|UPDATE|REPLACE|TRUNCATE)\b(?:\s+(?:LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE|INTO|TABLE)\b)*)\s+`?(\w+)~is';
		if ( preg_match( $write, $query, $found )
			&& ! in_array( $found[1], $wpdb->tables( 'all' ), true )
			&& ! preg_match( '/(actionscheduler_|_sessions$|_cart|_log|_stat|_visit|_view)/i', $found[1] ) ) {
			nido_pages_may_have_changed();
		}
		return $query;
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
