<?php
// For a request that must work although a plugin or the theme is broken: neither is loaded. If that fails,
// the platform repeats the request with NIDO_NO_DROP_INS.
add_filter( 'pre_option_active_plugins', '__return_empty_array' );
foreach ( array( 'stylesheet_directory', 'template_directory' ) as $nido_hook ) {
	add_filter( $nido_hook, static fn () => NIDO_PLATFORM . '/no-theme' );
}
