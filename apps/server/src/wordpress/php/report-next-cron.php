<?php
// Reports when the next WP-Cron event is due: the platform runs WP-Cron at the time in the file `next-cron`.

function nido_write_next_cron() {
	$times = array_keys( _get_cron_array() );
	file_put_contents( NIDO_STATE_DIR . '/next-cron', $times ? min( $times ) : 0 );
}
add_action( 'update_option_cron', static fn () => add_action( 'shutdown', 'nido_write_next_cron', PHP_INT_MAX ) );
add_action( 'add_option_cron', static fn () => add_action( 'shutdown', 'nido_write_next_cron', PHP_INT_MAX ) );
