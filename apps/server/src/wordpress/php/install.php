<?php
// Installs a site that is nobody's yet into an empty database. Run by the platform, never reached by a visitor.
$wish = json_decode( $_SERVER['NIDO_INSTALL'], true );

define( 'WP_INSTALLING', true );
require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';

// Instead of the mail that tells a password: nobody needs one.
function wp_new_blog_notification() {}
require ABSPATH . 'wp-admin/includes/upgrade.php';

// Otherwise it asks itself over the network which links work.
add_filter( 'pre_option_permalink_structure', '__return_empty_string' );
if ( $wish['locale'] ) {
	load_default_textdomain( $wish['locale'] );
	$GLOBALS['wp_locale'] = new WP_Locale();
}
$result = wp_install( 'nobody', 'nobody', 'nobody@nido.invalid', true, '', wp_generate_password( 40 ), $wish['locale'] );
if ( is_wp_error( $result ) ) {
	throw new RuntimeException( $result->get_error_message() );
}
remove_filter( 'pre_option_permalink_structure', '__return_empty_string' );

update_option( 'timezone_string', $wish['timezone'] );
$GLOBALS['wp_rewrite']->set_permalink_structure( '/%postname%/' );
flush_rewrite_rules( false );
update_option( 'nido_prepared', time() );
echo 'installed';
