<?php
// The platform updates WordPress itself, so update notices and the related health checks are removed.
add_filter( 'map_meta_cap', static fn ( $caps, $cap ) => 'update_core' === $cap ? array( 'do_not_allow' ) : $caps, 10, 2 );
add_filter( 'pre_site_transient_update_core', static fn () => (object) array( 'last_checked' => time(), 'version_checked' => wp_get_wp_version(), 'updates' => array() ) );
add_filter(
	'site_status_tests',
	static function ( $tests ) {
		unset( $tests['direct']['update_temp_backup_writable'], $tests['direct']['available_updates_disk_space'], $tests['async']['background_updates'], $tests['async']['loopback_requests'], $tests['direct']['page_cache'], $tests['async']['page_cache'] );
		return $tests;
	}
);
