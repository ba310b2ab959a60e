<?php
// Installs WordPress without an owner into an empty database. Run by the platform; visitors cannot reach it.
$settings = json_decode( $_SERVER['NIDO_INSTALL'], true );

define( 'WP_INSTALLING', true );
require $_SERVER['DOCUMENT_ROOT'] . '/wp-load.php';

// Replaces the function that mails the new password, because nobody needs that mail.
function wp_new_blog_notification() {}
require ABSPATH . 'wp-admin/includes/upgrade.php';

// Otherwise WordPress requests its own pages over the network to test permalinks.
add_filter( 'pre_option_permalink_structure', '__return_empty_string' );
if ( $settings['locale'] ) {
	load_default_textdomain( $settings['locale'] );
	$GLOBALS['wp_locale'] = new WP_Locale();
}
$result = wp_install( 'nobody', 'nobody', 'nobody@nido.invalid', true, '', wp_generate_password( 40 ), $settings['locale'] );
if ( is_wp_error( $result ) ) {
	throw new RuntimeException( $result->get_error_message() );
}
remove_filter( 'pre_option_permalink_structure', '__return_empty_string' );

update_option( 'timezone_string', $settings['timezone'] );
$GLOBALS['wp_rewrite']->set_permalink_structure( '/%postname%/' );
flush_rewrite_rules( false );
update_option( 'nido_prepared', time() );
echo 'installed';
