<?php
// Reports when the next WP-Cron event is due: the platform runs WP-Cron at the time in the file `next-cron`.

// WordPress's own recurring work. It may be a day late, because otherwise it would wake a sleeping site every hour.
const NIDO_HOUSEKEEPING = array(
	'delete_expired_transients',
	'recovery_mode_clean_expired_keys',
	'wp_delete_temp_updater_backups',
	'wp_https_detection',
	'wp_privacy_delete_old_export_files',
	'wp_privacy_personal_data_cleanup_requests',
	'wp_scheduled_auto_draft_delete',
	'wp_scheduled_delete',
	'wp_site_health_scheduled_check',
	'wp_update_plugins',
	'wp_update_themes',
	'wp_update_user_counts',
	'wp_version_check',
);

function nido_write_next_cron() {
	$times = array();
	foreach ( _get_cron_array() as $time => $hooks ) {
		$can_wait = ! array_diff( array_keys( $hooks ), NIDO_HOUSEKEEPING );
		$times[]  = $can_wait ? $time + DAY_IN_SECONDS : $time;
	}
	if ( is_file( NIDO_PAGES_DUE ) ) {
		$times[] = nido_pages_may_end_at();
	}
	file_put_contents( NIDO_STATE_DIR . '/next-cron', $times ? min( $times ) : 0 );
}
add_action( 'update_option_cron', static fn () => add_action( 'shutdown', 'nido_write_next_cron', PHP_INT_MAX ) );
add_action( 'add_option_cron', static fn () => add_action( 'shutdown', 'nido_write_next_cron', PHP_INT_MAX ) );

/** PHP's log has a share of the site's disk. */
function nido_shorten_log() {
	$log = ini_get( 'error_log' );
	if ( is_file( $log ) && filesize( $log ) > 2097152 ) {
		file_put_contents( $log, file_get_contents( $log, false, null, filesize( $log ) - 262144 ) );
	}
}
if ( WP_DEBUG ) {
	add_action( 'shutdown', 'nido_shorten_log', PHP_INT_MAX );
}

// Tells the platform, which runs WP-Cron, that the site does more than that, and so has to be backed up.
if ( wp_doing_cron() ) {
	foreach ( wp_get_ready_cron_jobs() as $nido_hooks ) {
		if ( array_diff( array_keys( $nido_hooks ), NIDO_HOUSEKEEPING ) ) {
			echo 'more than housekeeping';
			break;
		}
	}
	if ( is_file( NIDO_PAGES_DUE ) && nido_pages_may_end_at() <= time() ) {
		nido_write_pages();
	}
	add_action( 'shutdown', 'nido_write_next_cron', PHP_INT_MAX );
	nido_shorten_log();
	// The owner has made updates of plugins or themes automatic, and there are some.
	add_action(
		'wp_loaded',
		static function () {
			foreach ( array( 'plugins', 'themes' ) as $kind ) {
				$offered = array_keys( get_site_transient( "update_$kind" )->response ?? array() );
				if ( array_intersect( $offered, (array) get_site_option( "auto_update_$kind", array() ) ) ) {
					echo 'updates are due';
					return;
				}
			}
		}
	);
}
