<?php
// The platform updates WordPress itself, so update notices and the related health checks are removed.
add_filter( 'map_meta_cap', static fn ( $caps, $cap ) => 'update_core' === $cap ? array( 'do_not_allow' ) : $caps, 10, 2 );
add_filter(
	'pre_site_transient_update_core',
	static function () {
		$version = wp_get_wp_version();
		$latest  = (object) array( 'response' => 'latest', 'current' => $version, 'version' => $version, 'locale' => get_locale() );
		return (object) array( 'last_checked' => time(), 'version_checked' => $version, 'updates' => array( $latest ) );
	}
);
// The platform makes the automatic updates of plugins and themes at night, after a backup, and looks at the pages.
if ( defined( 'DOING_CRON' ) ) {
	add_filter( 'auto_update_plugin', '__return_false' );
	add_filter( 'auto_update_theme', '__return_false' );
}
// Site Health recommends to remove themes that are not used. Those that come with WordPress are shared by all sites.
add_filter(
	'site_status_test_result',
	static function ( $result ) {
		if ( 'theme_version' !== $result['test'] || 'recommended' !== $result['status'] ) {
			return $result;
		}
		$active = array( get_stylesheet(), get_template() );
		foreach ( wp_get_themes() as $theme ) {
			if ( ! str_starts_with( $theme->get_stylesheet_directory(), ABSPATH ) && ! in_array( $theme->get_stylesheet(), $active, true ) ) {
				return $result;
			}
		}
		$text = nido_text( 'Los temas que trae WordPress no ocupan espacio en el disco de tu sitio y se actualizan solos.', 'The themes that come with WordPress take up none of your site’s disk, and are kept up to date for you.' );
		return array(
			'status'      => 'good',
			'label'       => __( 'Your themes are all up to date' ),
			'description' => "<p>$text</p>",
		) + $result;
	}
);
add_filter(
	'site_status_tests',
	static function ( $tests ) {
		unset( $tests['direct']['update_temp_backup_writable'], $tests['direct']['available_updates_disk_space'], $tests['async']['background_updates'], $tests['direct']['page_cache'], $tests['async']['page_cache'] );
		// The embedded runtime answers one request at a time, so a site there would wait for itself.
		if ( ! isset( $_SERVER['NIDO_LOOPBACK'] ) ) {
			unset( $tests['async']['loopback_requests'], $tests['direct']['rest_availability'] );
		}
		return $tests;
	}
);
